//! `cargo xtask diff`: reports how a change of the contract affects its users.

use std::process::ExitCode;

use contract::cli::DiffArguments;

use crate::lint;

/// Compare the contract with its version at the commit where the work left the default branch, or
/// compare two documents.
///
/// Exit code: 0 clean, 1 findings, 2 usage, 3 it cannot be read.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    words: DiffArguments,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let words = DiffArguments {
        judging: lint::judging(&arguments.words.judging),
        ..arguments.words.clone()
    };
    lint::stdio(|streams| contract::run::diff(&words, streams))
}
