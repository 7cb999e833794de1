//! `cargo xtask lint`: hold a document to the rules.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use spec::lint::Rule;
use spec::scenarios::{self, ScenarioFile};
use spec::{Behaviour, Diagnostics, Document, Severity, SourceMap};

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
        for (id, summary) in Rule::all() {
            println!("{id:<32} {summary}");
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
    let scenarios = lint_scenarios(&document, &path.with_file_name("scenarios"))?;
    let behaviour = behaviour(&path, &document);
    let (Some(scenarios), Ok(behaviour), false) = (scenarios, behaviour, findings.has_errors())
    else {
        return Ok(ExitCode::FAILURE);
    };
    let operations = document.operations().len();
    let machines = behaviour.iter().flat_map(|behaviour| &behaviour.records);
    let machines: usize = machines.map(|record| record.machines.len()).sum();
    println!(
        "{}: {operations} operations, {scenarios} scenario files, {machines} state machines, no error",
        path.display()
    );
    Ok(ExitCode::SUCCESS)
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

/// How many scenario files stand beside the document; `None` where one of them has an error.
fn lint_scenarios(document: &Document, folder: &Path) -> anyhow::Result<Option<usize>> {
    if !folder.is_dir() {
        return Ok(Some(0));
    }
    let mut files: Vec<ScenarioFile> = Vec::new();
    let mut clean = true;
    for path in scenarios::files(folder)? {
        match scenarios::load(&path) {
            Ok(file) => files.push(file),
            Err(error) => {
                show(&error.diagnostics, &error.sources);
                clean = false;
            }
        }
    }
    for (file, findings) in spec::lint::lint_scenarios(document, &files) {
        show(&findings, &file.sources);
        clean &= !findings.has_errors();
    }
    Ok(clean.then_some(files.len()))
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
