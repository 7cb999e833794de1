//! Compiles the generator's output for one feature at a time, without a warning.
//!
//! `inputs/` has a small document or schema for each feature. `outputs/` has the code that the
//! generator writes for it, as snapshots: `cargo insta review` accepts a change. The build script
//! turns each snapshot into a module.
#![deny(warnings)]
#![allow(
    dead_code,
    ambiguous_glob_reexports,
    missing_docs,
    clippy::pedantic,
    reason = "the outputs are parts of crates, each with the lints of its own"
)]

#[path = "../../runtime/src/lib.rs"]
pub mod runtime;

include!(concat!(env!("OUT_DIR"), "/outputs.rs"));
