//! `cargo xtask lint`: checks a document with the lint rules.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use contract::cli::{Judging, LintArguments};
use contract::streams::{Streams, in_color};
use openapi_lint::Rule;
use programs::workspace;

/// Check the contract, or another document. Prints all findings at once, each with its place.
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
    /// Print the page about all rules, which is stored as docs/lint-rules.md.
    #[arg(long)]
    page: bool,
    /// Apply the safe fixes of findings.
    #[arg(long)]
    fix: bool,
    /// The judgement of findings.
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

/// Runs a command of the gate with this process' streams.
pub(crate) fn stdio(command: impl FnOnce(&mut Streams<'_>) -> u8) -> ExitCode {
    ExitCode::from(streams(command))
}

/// Runs a part of the gate with this process' streams.
pub(crate) fn streams<T>(part: impl FnOnce(&mut Streams<'_>) -> T) -> T {
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let color = in_color(&out);
    part(&mut Streams {
        out: &mut out,
        err: &mut err,
        color,
    })
}

/// The gate's options, with the workspace's configuration as default.
pub(crate) fn judging(words: &Judging) -> Judging {
    let usual = || workspace::shown(&workspace::root().join(contract::config::NAME));
    Judging {
        config: Some(words.config.clone().unwrap_or_else(usual)),
        ..words.clone()
    }
}
