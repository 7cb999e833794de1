//! The ledger: the outcomes of each planted fault, one line each.
//!
//! The columns are the first outcome, the outcome now, and the outcome with the reviewed behaviour
//! file. The ledger is a snapshot, so a fault that is no longer found, or only causes a warning,
//! must be reviewed: `cargo insta review`.
//!
//! Only a run with `EXHAUSTIVE` tries all faults; other runs compare the faults that they try, and
//! the list of faults. The first outcomes never change. The folder `retired` has the last outcomes
//! of servers that are no longer tried.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use conformance::level::Level;
use conformance::report::Record;

use super::is_exhaustive;

/// The folder of the ledger, below the tests.
const FOLDER: &str = "tests/ledger";

/// The least percentage of faults that must fail with the reviewed behaviour files.
const LEAST_ATTENDED: usize = 91;

/// The outcome of a fault that was not found.
const MISSED: &str = "missed";

/// The outcome of a fault for the check that should find it: `fail`, `warn`, `reported`, or
/// `missed`.
pub(crate) fn outcome(record: &Record, check: &str) -> &'static str {
    let all = record.cases.iter().flat_map(|case| &case.differences);
    let levels = all
        .filter(|difference| difference.check.id == check)
        .map(|difference| difference.level);
    match levels.max() {
        Some(Level::Must) => "fail",
        Some(Level::Should) => "warn",
        Some(Level::May) => "reported",
        None => MISSED,
    }
}

/// The outcome of a fault with the reviewed behaviour file: for the check that should find it, else
/// for the check with the highest level. The correct server has no finding, so every finding is due
/// to the fault.
pub(crate) fn attended(record: &Record, check: &str) -> String {
    let expected = outcome(record, check);
    let all = record.cases.iter().flat_map(|case| &case.differences);
    let other = all
        .filter(|difference| difference.level == Level::Must)
        .map(|difference| difference.check.id)
        .min();
    match other {
        Some(other) if expected != "fail" => format!("fail: {other}"),
        _ => expected.to_owned(),
    }
}

/// A fault as the ledger lists it.
pub(crate) fn entry(fault: &str, operations: &[&str], check: &str) -> String {
    format!("{fault}\t{}\t{check}", operations.join(","))
}

/// The outcomes of a fault.
pub(crate) struct Outcome {
    /// The fault, as the ledger lists it.
    pub(crate) entry: String,
    /// The outcome without a behaviour file.
    pub(crate) now: &'static str,
    /// The outcome with the reviewed behaviour file.
    pub(crate) attended: String,
}

/// Compares the outcomes for a document with the ledger; line by line when only some faults were
/// tried.
pub(crate) fn assert_unchanged(document: &str, outcomes: &[Outcome]) {
    let known = rows(document);
    let known: BTreeMap<&str, &Row> = known.iter().map(|row| (row.entry.as_str(), row)).collect();
    if !is_exhaustive() || std::env::var_os("FAULT").is_some() {
        let mut others = Vec::new();
        for Outcome {
            entry,
            now,
            attended,
        } in outcomes
        {
            let row = known.get(entry.as_str());
            let expected = row.map(|row| (row.now.as_str(), row.attended.as_str()));
            if Some((*now, attended.as_str())) != expected {
                others.push(format!("{entry}: {now}, {attended}, not {expected:?}"));
            }
        }
        assert!(others.is_empty(), "{document}:\n{}", others.join("\n"));
        return;
    }
    let line = |outcome: &Outcome| {
        let Outcome {
            entry,
            now,
            attended,
        } = outcome;
        let row = known.get(entry.as_str());
        let first = row.map_or("new", |row| row.first.as_str());
        format!("{entry}\t{first}\t{now}\t{attended}")
    };
    let mut lines: Vec<String> = outcomes.iter().map(line).collect();
    lines.sort();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name(document), lines.join("\n")));
}

/// Requires that the ledger lists exactly these faults of a document.
pub(crate) fn assert_listed(document: &str, entries: &BTreeSet<String>) {
    let listed: BTreeSet<String> = { rows(document).into_iter() }
        .map(|row| row.entry)
        .collect();
    assert_eq!(&listed, entries, "{document}: run with EXHAUSTIVE=1");
}

/// The faults of a document that are not found.
pub(crate) fn missed(document: &str) -> BTreeSet<String> {
    let rows = rows(document).into_iter();
    rows.filter(|row| row.now == MISSED)
        .map(|row| row.entry)
        .collect()
}

/// Requires that few of the faults that were found at first are lost: 30 % of those that are still
/// tried, 32 % with those of retired servers. Prints how the others are found.
#[test]
fn few_of_the_faults_that_were_found_are_lost() {
    let tried = rows_in(&folder());
    let retired = rows_in(&folder().join("retired"));
    let all: Vec<&Row> = tried.iter().chain(&retired).collect();
    assert!(all.len() > 850, "{}", all.len());
    for (which, rows, most) in [("all", all, 32), ("tried", tried.iter().collect(), 30)] {
        let found: Vec<&&Row> = { rows.iter() }
            .filter(|row| ![MISSED, "new"].contains(&row.first.as_str()))
            .collect();
        let count = |now: &str| found.iter().filter(|row| row.now == now).count();
        let lost = count(MISSED);
        println!(
            "{which}: {} faults were found at first: {} fail now, {} warn, {lost} are lost",
            found.len(),
            count("fail"),
            count("warn")
        );
        assert!(lost * 100 <= found.len() * most, "{which}: {lost}");
    }
}

/// Requires that most of the faults that are still tried fail with the reviewed behaviour files.
/// Prints the counts of each server.
#[test]
fn most_of_the_faults_fail_with_the_files_of_their_owners() {
    let (mut all, mut failed) = (0, 0);
    for path in paths_in(&folder()) {
        let rows = read(&path);
        let alone = |now: &str| rows.iter().filter(|row| row.now == now).count();
        let attended = |now: &str| {
            { rows.iter() }
                .filter(|row| row.attended.starts_with(now))
                .count()
        };
        println!(
            "{}: {} faults; alone {} fail, {} warn, {} missed; attended {} fail, {} warn, {} missed",
            path.file_stem().unwrap().display(),
            rows.len(),
            alone("fail"),
            alone("warn"),
            alone(MISSED),
            attended("fail"),
            attended("warn"),
            attended(MISSED),
        );
        all += rows.len();
        failed += attended("fail");
    }
    println!("together: {failed} of {all} fail attended");
    assert!(failed * 100 >= all * LEAST_ATTENDED, "{failed} of {all}");
}

/// A line of the ledger.
struct Row {
    entry: String,
    first: String,
    now: String,
    attended: String,
}

fn rows(document: &str) -> Vec<Row> {
    read(&folder().join(format!("{}.snap", name(document))))
}

/// The lines of all files of a folder.
fn rows_in(folder: &Path) -> Vec<Row> {
    paths_in(folder)
        .iter()
        .flat_map(|path| read(path))
        .collect()
}

/// The files of a folder of the ledger.
fn paths_in(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "snap"));
    paths.sort();
    paths
}

fn read(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap();
    let (_, lines) = text.rsplit_once("---\n").unwrap();
    let row = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let (entry, outcomes) = parts.split_at_checked(3)?;
        Some(Row {
            entry: entry.join("\t"),
            first: (*outcomes.first()?).to_owned(),
            now: (*outcomes.get(1)?).to_owned(),
            attended: (*outcomes.get(2).unwrap_or(&MISSED)).to_owned(),
        })
    };
    lines.lines().filter_map(row).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER)
}

fn name(document: &str) -> String {
    document.replace(['/', '.'], "-")
}
