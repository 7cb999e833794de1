//! Tests that each change between two documents is found under its rule at its places, and nothing
//! else.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod cases;
mod documents;
mod facts;
mod histories;
mod limits;
mod page;
mod random;
mod refactorings;
mod registry;
mod shared;
mod validity;
mod weights;
