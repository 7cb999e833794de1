//! What the generator makes of one feature at a time, compiled without a warning.
//!
//! `inputs/` has a small document or schema for each feature, `outputs/` what comes of it as
//! snapshots: `cargo insta review` accepts a change. The build script makes a module of each.
#![deny(warnings)]
#![allow(
    dead_code,
    ambiguous_glob_reexports,
    clippy::pedantic,
    reason = "the outputs are parts of crates, each with the lints of its own"
)]

#[path = "../../runtime/src/lib.rs"]
pub mod runtime;

include!(concat!(env!("OUT_DIR"), "/outputs.rs"));
