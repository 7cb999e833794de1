//! Tests of the rules on documents, behaviour files and scenarios.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod behaviour;
mod explanations;
mod facts;
mod fixes;
mod mutations;
mod page;
mod rules;
mod scenarios;
mod second_reader;
