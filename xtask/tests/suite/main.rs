//! The verbs, and the plan of the house.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod actions;
mod circles;
mod house;
mod mistakes;
mod modules;
mod tutorials;
mod words;
