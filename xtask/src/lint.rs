//! `cargo xtask lint`: hold a document to the rules.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use spec::{Diagnostics, Severity, SourceMap};

use crate::workspace;

/// Check the contract, or another document: all findings at once, each with its place.
///
/// Exit code: 0 clean, 1 findings.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The document, YAML or JSON.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// List the rules instead.
    #[arg(long)]
    rules: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.rules {
        for rule in spec::lint::RULES {
            println!("{:<32} {}", rule.id, rule.summary);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let path = arguments.spec.clone().unwrap_or_else(workspace::contract);
    let document = match spec::loader::load(&path) {
        Ok(document) => document,
        Err(error) => {
            show(&error.diagnostics, &error.sources);
            return Ok(ExitCode::FAILURE);
        }
    };
    let findings = spec::lint::lint(&document);
    show(&findings, &document.sources);
    if findings.has_errors() {
        return Ok(ExitCode::FAILURE);
    }
    let operations = document.operations().len();
    println!("{}: {operations} operations, no error", path.display());
    Ok(ExitCode::SUCCESS)
}

/// Prints findings with excerpts to standard error, and how many there are.
pub(crate) fn show(findings: &Diagnostics, sources: &SourceMap) {
    if findings.is_empty() {
        return;
    }
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    eprint!("{}", findings.render(sources, color));
    let (errors, warnings) = (findings.count(Severity::Error), findings.count(Severity::Warning));
    eprintln!("{errors} error(s), {warnings} warning(s)");
}
