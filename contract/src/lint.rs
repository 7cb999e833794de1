//! Lint: applies all rules to a document, its scenarios and its behaviour file.

use std::path::Path;

use openapi_document::loader::LoadError;
use openapi_document::scenarios::{self, ScenarioFile};
use openapi_document::{Diagnostic, Diagnostics, Document};
use openapi_lint::Levels;

use crate::collector::Collector;
use crate::finding::{Finding, Side};
use crate::input::{Input, Overlays, title_of, version_of};
use crate::report::{Report, Subject};

/// Lints a document and the files beside it, and adds the findings to a report.
pub fn lint(input: &Input, overlays: &Overlays, levels: &Levels, report: &mut Report) {
    let document = match input.load(overlays) {
        Ok(document) => document,
        Err(error) => return unreadable(&error, Side::Revision, input.revision(), report),
    };
    let collector = of(&document, input);
    let mut found = openapi_lint::lint_with(&document, levels);
    let read = document.findings.iter();
    found.extend(
        read.filter(|finding| finding.rule.starts_with("overlay-"))
            .cloned(),
    );
    report.findings.extend(collector.findings(&found));
    let mut subject = Subject {
        path: input.shown(),
        title: title_of(&document),
        version: version_of(&document),
        operations: document.operations().len(),
        scenarios: 0,
        machines: 0,
    };
    // The scenarios and behaviour of a git revision were linted when they were on disk.
    if let Some(path) = input.on_disk() {
        subject.scenarios = lint_scenarios(&document, path, levels, report);
        subject.machines = lint_behaviour((&document, &collector), path, levels, report);
    }
    report.documents.push(subject);
}

/// Adds the findings of a document that cannot be read.
pub fn unreadable(error: &LoadError, side: Side, revision: Option<&str>, report: &mut Report) {
    let collector = Collector {
        sources: &error.sources,
        root: None,
        file: None,
        side,
        revision,
    };
    report
        .findings
        .extend(collector.findings(&error.diagnostics));
    report.is_unreadable = true;
}

/// The collector for a document's findings.
pub fn of<'d>(document: &'d Document, input: &'d Input) -> Collector<'d> {
    Collector {
        sources: &document.sources,
        root: Some(&document.root),
        file: None,
        side: Side::Revision,
        revision: input.revision(),
    }
}

/// Lints the scenario files beside the document, adds the findings, and returns the number of
/// files.
fn lint_scenarios(document: &Document, path: &Path, levels: &Levels, report: &mut Report) -> usize {
    let folder = path.with_file_name("scenarios");
    if !folder.is_dir() {
        return 0;
    }
    let paths = match scenarios::files(&folder) {
        Ok(paths) => paths,
        Err(error) => {
            let title = format!("failed to read `{}`: {error}", folder.display());
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(Diagnostic::error("unreadable-file", title));
            let error = LoadError {
                sources: document.sources.clone(),
                diagnostics,
            };
            unreadable(&error, Side::Revision, None, report);
            return 0;
        }
    };
    let mut files: Vec<ScenarioFile> = Vec::new();
    for path in paths {
        match scenarios::load(&path) {
            Ok(file) => files.push(file),
            Err(error) => unreadable(&error, Side::Revision, None, report),
        }
    }
    for (file, findings) in openapi_lint::lint_scenarios_with(document, &files, levels) {
        report.findings.extend(beside(&findings, file));
    }
    files.len()
}

fn beside(findings: &Diagnostics, file: &ScenarioFile) -> Vec<Finding> {
    let name = file.sources.files().next().and_then(|(_, file)| {
        let name = file.path().file_name()?;
        Some(name.to_string_lossy().into_owned())
    });
    let collector = Collector {
        sources: &file.sources,
        root: Some(&file.root),
        file: Some(name.as_deref().unwrap_or("scenarios")),
        side: Side::Revision,
        revision: None,
    };
    collector.findings(findings)
}

/// Lints the behaviour file, adds its findings and those about facts without an entry, and returns
/// the number of state machines.
fn lint_behaviour(
    (document, document_collector): (&Document, &Collector<'_>),
    path: &Path,
    levels: &Levels,
    report: &mut Report,
) -> usize {
    let Some(file) = openapi_document::behaviour::beside(path) else {
        return 0;
    };
    let behaviour = match openapi_document::behaviour::load(&file) {
        Ok(behaviour) => behaviour,
        Err(error) => {
            unreadable(&error, Side::Revision, None, report);
            return 0;
        }
    };
    let missing = openapi_lint::lint_facts_with(document, &behaviour, levels);
    report
        .findings
        .extend(document_collector.findings(&missing));
    let findings = openapi_lint::lint_behaviour_with(document, &behaviour, levels);
    // The behaviour has no tree, so the file is parsed again if places are needed.
    let tree = (!findings.is_empty())
        .then(|| behaviour.sources.files().next())
        .flatten()
        .and_then(|(id, _)| openapi_document::yaml::read(&behaviour.sources, id).ok());
    let collector = Collector {
        sources: &behaviour.sources,
        root: tree.as_ref(),
        file: Some("behaviour"),
        side: Side::Revision,
        revision: None,
    };
    report.findings.extend(collector.findings(&findings));
    let records = behaviour.records.iter();
    records.map(|record| record.machines.len()).sum()
}
