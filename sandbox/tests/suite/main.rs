//! The sandbox from the outside, and its database under load.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says what is wrong by panicking"
)]

mod bench;
mod commands;
mod contention;
mod durable_settings;
mod group_commit;

mod process;

mod authentication;
mod bad_input;
mod idle;
mod killed;
mod lifecycle;
mod races;
mod secrets;
mod timers;
