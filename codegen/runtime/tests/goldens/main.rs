//! The operations in `codegen/tests/goldens/operations/`, compiled without a warning and called:
//! what a server receives is what the specification demands.
#![deny(warnings)]
#![allow(
    dead_code,
    unreachable_pub,
    reason = "a test target has no users of its public items"
)]

/// Declares the outputs as modules.
macro_rules! goldens {
    ($($module:ident $($page:literal)+),* $(,)?) => {
        $(#[doc = "A golden."] pub mod $module { $(include!($page);)+ })*
    };
}

pub mod client;
pub mod models;
pub mod operations;
#[path = "../../src/lib.rs"]
pub mod runtime;
pub mod server;

#[cfg(test)]
mod answers;
#[cfg(test)]
mod bodies;
#[cfg(test)]
mod checked;
#[cfg(test)]
mod credentials;
#[cfg(test)]
mod gatekeeper;
#[cfg(test)]
mod links;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod parameters;
#[cfg(test)]
mod recorder;
#[cfg(test)]
mod retries;
#[cfg(test)]
mod served;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod told;
#[cfg(test)]
mod uploads;
