//! Tests the command as a user runs it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod bad_input;
mod bundles;
mod gate;
mod guide;
mod keywords;
mod outputs;
mod overlays;
mod page;
mod support;
