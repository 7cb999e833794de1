//! `cargo xtask lint`: hold a document to the rules.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use contract::cli::{Judging, LintArguments};
use contract::run::{Streams, in_color};
use spec::lint::Rule;
use spec::{Behaviour, Diagnostics, Document, Severity, SourceMap};

use crate::workspace;

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
        print!("{}", spec::lint::page());
        return ExitCode::SUCCESS;
    }
    let path = arguments.spec.clone().unwrap_or_else(workspace::contract);
    let words = LintArguments {
        documents: vec![path.display().to_string()],
        fix: arguments.fix,
        judging: workspace::judging(&arguments.judging),
    };
    stdio(|streams| contract::run::lint(&words, streams))
}

/// Runs a command of the gate on this process' streams.
pub(crate) fn stdio(command: impl FnOnce(&mut Streams<'_>) -> u8) -> ExitCode {
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let color = in_color(&out);
    ExitCode::from(command(&mut Streams {
        out: &mut out,
        err: &mut err,
        color,
    }))
}

/// The behaviour that stands beside a document has errors, which were printed.
#[derive(Debug)]
pub(crate) struct Misbehaviour;

/// The behaviour that stands beside a document, where there is any.
pub(crate) fn behaviour(
    path: &Path,
    document: &Document,
) -> Result<Option<Behaviour>, Misbehaviour> {
    let Some(file) = spec::behaviour::beside(path) else {
        return Ok(None);
    };
    let behaviour = spec::behaviour::load(&file).map_err(|error| {
        show(&error.diagnostics, &error.sources);
        Misbehaviour
    })?;
    let findings = spec::lint::lint_behaviour(document, &behaviour);
    show(&findings, &behaviour.sources);
    if findings.has_errors() {
        return Err(Misbehaviour);
    }
    Ok(Some(behaviour))
}

/// Prints findings with excerpts to standard error, and how many there are.
pub(crate) fn show(findings: &Diagnostics, sources: &SourceMap) {
    if findings.is_empty() {
        return;
    }
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    eprint!("{}", findings.render(sources, color));
    let (errors, warnings) = (
        findings.count(Severity::Error),
        findings.count(Severity::Warning),
    );
    eprintln!("{errors} error(s), {warnings} warning(s)");
}
