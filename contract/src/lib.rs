//! Gate: lints an `OpenAPI` document, compares it with an earlier state, and checks its version.
//!
//! [`input`] (a file or a git revision) → [`lint`] or [`diff`] (findings) → [`gate`] (levels,
//! baseline, versions) → [`output`] (the report for people and programs). [`run`] does all of it
//! for one command.
//!
//! The package knows no server and no particular interface. Begin with [`run`].
//!
//! # Example
//!
//! ```no_run
//! use clap::Parser;
//! use contract::cli::LintArguments;
//! use contract::run::lint;
//! use contract::streams::Streams;
//!
//! #[derive(Parser)]
//! struct Command {
//!     #[command(flatten)]
//!     lint: LintArguments,
//! }
//!
//! let command = Command::parse_from(["lint", "openapi.yaml"]);
//! let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
//! let mut streams = Streams { out: &mut out, err: &mut err, color: false };
//! assert_eq!(lint(&command.lint, &mut streams), 0);
//! ```

pub mod axes;
pub mod baseline;
pub mod bundle;
pub mod catalogue;
pub mod cli;
pub mod collector;
pub mod config;
pub mod crate_version;
pub mod diff;
pub mod excerpt;
pub mod explain;
pub mod finding;
pub mod fingerprint;
pub mod fixes;
pub mod gate;
pub mod generate;
pub mod git;
pub mod input;
pub mod level;
pub mod levels;
pub mod lint;
pub mod manifest;
pub mod output;
pub mod pointers;
pub mod problems;
pub mod release;
pub mod report;
pub mod run;
pub mod rust_api;
pub mod streams;
pub mod subject;
pub mod toml_file;
