//! The documents of the workspace and foreign ones, loaded and read.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod loader;
mod overlays;
mod readers;
