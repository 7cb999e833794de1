//! What a generated crate looks like, written by hand for a slice of a payments document.
//!
//! The generator emits code of exactly this shape; `behaviour.rs` proves that the shape works, with
//! the client and the server of this slice talking to each other over a socket.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::large_enum_variant,
    reason = "a test target has no users of its public items"
)]

pub mod client;
pub mod models;
pub mod operations;
#[path = "../../src/lib.rs"]
pub mod runtime;
pub mod server;

#[cfg(test)]
mod behaviour;
