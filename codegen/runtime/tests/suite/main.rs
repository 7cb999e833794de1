//! The parts of the runtime one by one, and a crate of the shape that the generator emits.
//!
//! `exemplar/` is such a crate, written by hand for a slice of a payments document. Its modules stand
//! at the root, as they do in a generated crate; `behaviour` lets its client and its server talk to
//! each other over a socket.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::large_enum_variant,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test target has no users of its public items"
)]

#[path = "exemplar/behaviour/mod.rs"]
mod behaviour;
#[path = "exemplar/client/mod.rs"]
pub mod client;
#[path = "exemplar/models/mod.rs"]
pub mod models;
#[path = "exemplar/operations/mod.rs"]
pub mod operations;
#[path = "../../src/lib.rs"]
pub mod runtime;
#[path = "exemplar/server/mod.rs"]
pub mod server;

mod address;
mod calls;
mod constraint;
mod date;
mod decimal;
mod event;
mod form;
mod json;
mod media_type;
mod multipart;
mod nullable;
mod number;
mod occasion;
mod parameter;
mod pattern;
mod percent;
mod retry;
mod routes;
mod rule;
mod sensitive;
mod signature;
mod timestamp;
mod union;
mod uuid;
