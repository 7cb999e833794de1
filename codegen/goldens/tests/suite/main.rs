//! The outputs of the generator do what they are for.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod answers;
mod bad_answers;
mod bodies;
mod builders;
mod checked;
mod credentials;
mod directions;
mod gatekeeper;
mod lenient;
mod links;
mod machines;
mod pages;
mod parameters;
mod queries;
mod recorder;
mod refusals;
mod retries;
mod served;
mod servers;
mod streams;
mod told;
mod types;
mod uploads;
