//! The ledger: the outcome of each planted fault, one line a fault. It is a snapshot, so a fault that is no longer
//! found, or only causes a warning, has to be reviewed: `cargo insta review`.
//!
//! Only a run with `EXHAUSTIVE` and without `FAULT` tries all faults; other runs only compare the list of faults.

use std::collections::BTreeSet;
use std::path::Path;

use conformance::report::Record;

use super::is_exhaustive;

/// The folder of the ledger, below the tests.
const FOLDER: &str = "tests/ledger";

/// The outcome of a fault by the check that should find it: `fail`, `warn`, or `missed`.
pub(crate) fn outcome(record: &Record, check: &str) -> &'static str {
    let cases = record.cases.iter().filter(|case| {
        let mut differences = case.differences.iter();
        differences.any(|difference| difference.check.id == check)
    });
    let strongest = cases.map(|case| case.verdict).max();
    strongest.map_or("missed", |verdict| verdict.as_str())
}

/// A fault as the ledger lists it.
pub(crate) fn entry(fault: &str, operations: &[&str], check: &str) -> String {
    format!("{fault}\t{}\t{check}", operations.join(","))
}

/// Compares the outcomes of the faults of a document with the ledger.
pub(crate) fn assert_unchanged(document: &str, outcomes: &[(String, &str)]) {
    if !is_exhaustive() || std::env::var_os("FAULT").is_some() {
        return;
    }
    let mut lines: Vec<String> = { outcomes.iter() }
        .map(|(entry, outcome)| format!("{entry}\t{outcome}"))
        .collect();
    lines.sort();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name(document), lines.join("\n")));
}

/// Demands that the ledger lists these faults of a document, and no others.
pub(crate) fn assert_listed(document: &str, entries: &BTreeSet<String>) {
    let file = format!("{}.snap", name(document));
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(FOLDER)
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (_, lines) = text.rsplit_once("---\n").unwrap();
    let listed: BTreeSet<String> = { lines.lines() }
        .filter_map(|line| Some(line.rsplit_once('\t')?.0.to_owned()))
        .collect();
    assert_eq!(
        &listed,
        entries,
        "{}: run with EXHAUSTIVE=1",
        path.display()
    );
}

fn name(document: &str) -> String {
    document.replace(['/', '.'], "-")
}
