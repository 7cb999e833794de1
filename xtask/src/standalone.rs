//! `cargo xtask standalone`: the runner as one file that needs nothing of the machine it is copied to.

use std::process::ExitCode;

/// Builds the runner for release as one file, which is linked statically on Linux; prints where it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<ExitCode> {
    println!("{}", programs::standalone::build()?.display());
    Ok(ExitCode::SUCCESS)
}
