//! Placeholder.
use std::process::ExitCode;
#[derive(clap::Args)]
pub(crate) struct Arguments {}
pub(crate) fn run(_: &Arguments) -> anyhow::Result<ExitCode> { Ok(ExitCode::SUCCESS) }
