//! Tests of the commands, and of the rules for the workspace.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod actions;
mod circles;
mod mistakes;
mod modules;
mod packages;
mod readers;
mod tutorials;
mod words;
