//! The generator from the outside: whole documents, hostile ones, and the crates that come of them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod areas;
mod bounds;
mod examples;
mod folder;
mod goldens;
mod hostile;
mod machines;
mod manifest;
mod page;
mod paging;
mod repeat;
mod security;
mod whole;
