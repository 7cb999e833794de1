//! Tests with documents of the workspace and with foreign ones.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod loader;
mod overlays;
mod readers;
