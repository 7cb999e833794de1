//! Runs subcommands in separate programs, so that xtask depends on no generated code.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use programs::process;

/// The arguments of such a subcommand.
#[derive(clap::Args)]
pub(crate) struct Words {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Builds a program of this workspace and runs it. Returns its exit code.
pub(crate) fn run(program: &str, words: &Words) -> anyhow::Result<ExitCode> {
    let mut cargo = process::cargo();
    cargo.args(["run", "--quiet", "--bin", program, "--"]);
    let status = cargo.args(&words.words).status();
    let status = status.context("cargo cannot be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(3)))
}
