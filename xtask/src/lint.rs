//! `cargo xtask lint`: hold a document to the rules.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use contract::cli::{Judging, LintArguments};
use contract::streams::{Streams, in_color};
use openapi_lint::Rule;
use programs::workspace;

/// Check the contract, or another document: all findings at once, each with its place.
///
/// Exit code: 0 clean, 1 findings, 2 usage, 3 it cannot be read.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The document, YAML or JSON.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// List the rules instead.
    #[arg(long)]
    rules: bool,
    /// Print the page about all rules, which is kept as docs/lint-rules.md.
    #[arg(long)]
    page: bool,
    /// Make the safe fixes that findings offer.
    #[arg(long)]
    fix: bool,
    /// How to judge.
    #[command(flatten)]
    judging: Judging,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.rules {
        for rule in Rule::all() {
            let (id, level, summary) = (rule.id, rule.default.as_str(), rule.summary);
            println!("{id:<36} {level:<8} {summary}");
        }
        return ExitCode::SUCCESS;
    }
    if arguments.page {
        print!("{}", openapi_lint::page());
        return ExitCode::SUCCESS;
    }
    let path = arguments.spec.clone().unwrap_or_else(workspace::contract);
    let words = LintArguments {
        documents: vec![path.display().to_string()],
        fix: arguments.fix,
        judging: judging(&arguments.judging),
    };
    stdio(|streams| contract::run::lint(&words, streams))
}

/// Runs a command of the gate on this process' streams.
pub(crate) fn stdio(command: impl FnOnce(&mut Streams<'_>) -> u8) -> ExitCode {
    ExitCode::from(streams(command))
}

/// Lets a part of the gate tell on this process' streams what it has to tell.
pub(crate) fn streams<T>(part: impl FnOnce(&mut Streams<'_>) -> T) -> T {
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let color = in_color(&out);
    part(&mut Streams {
        out: &mut out,
        err: &mut err,
        color,
    })
}

/// How the gate judges: by the workspace's configuration where no other is named.
pub(crate) fn judging(words: &Judging) -> Judging {
    let usual = || workspace::shown(&workspace::root().join(contract::config::NAME));
    Judging {
        config: Some(words.config.clone().unwrap_or_else(usual)),
        ..words.clone()
    }
}
