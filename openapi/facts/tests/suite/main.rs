//! Tests of the facts of whole documents.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod calls;
mod documents;
mod golden;
mod kinds;
mod reference;
mod refusals;
mod verdicts;
