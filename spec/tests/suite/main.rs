//! The documents of the workspace and foreign ones, loaded, linted and compared.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod behaviour;
mod diff;
mod lint;
mod lint_explanations;
mod lint_fixes;
mod lint_page;
mod loader;
mod mutations;
mod readers;
mod scenarios;
