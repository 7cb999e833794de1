//! Tests a catalogue of faults in a small shop: the check that names a fault finds it. Correct
//! shops of several styles have no finding.

mod faults;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::fault_ledger::{self, Outcome};
use crate::support::shop::{Fault, Style, TOKEN};
use crate::support::{By, certify, ids, is_exhaustive, seeds};
use conformance::event::CaseReport;
use conformance::judge::Difference;
use conformance::level::{Level, Verdict};
use conformance::report::Record;
use faults::Row;
use futures_util::future::join_all;

/// The number of parallel runs.
const AT_ONCE: usize = 10;

fn contract() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/support/shop/shop.yaml")
}

/// Runs the runner against a shop, for all operations if `operations` is empty.
async fn run((fault, style): (Fault, Style), by: By, seed: u64, operations: &[&str]) -> Record {
    let address = crate::support::shop::open(fault, style).await;
    let mut options = by.options(&contract(), &format!("http://{address}"));
    options.headers = vec![("authorization".to_owned(), format!("Bearer {TOKEN}"))];
    options.laws = true;
    options.seed = seed;
    if let Fault::Hangs(_) = fault {
        options.timeout = Duration::from_secs(2);
    }
    options.selection.operations = operations
        .iter()
        .map(|operation| (*operation).to_owned())
        .collect();
    certify(&options).await.unwrap()
}

/// The cases with findings.
fn findings(record: &Record) -> Vec<&CaseReport> {
    let found = record.cases.iter();
    // An undocumented status is only a note.
    let is_finding = |difference: &Difference| {
        difference.check.id != "undeclared-status" || difference.level > Level::May
    };
    found
        .filter(|found| found.differences.iter().any(is_finding))
        .collect()
}

/// The operation at the end of a case's id.
fn operation(case: &'static str) -> &'static str {
    let mut parts = case.split('/');
    parts.find(|part| part.contains('_')).unwrap()
}

/// Runs faults in parallel, so that laws that wait for the clock wait together.
async fn runs(rows: &[Row], by: By, operation: impl Fn(&Row) -> &'static str) -> Vec<Record> {
    let mut records = Vec::new();
    for some in rows.chunks(AT_ONCE) {
        let some = some.iter().map(|row| {
            let operation = operation(row);
            async move { run((row.1, Style::default()), by, 1, &[operation]).await }
        });
        records.extend(join_all(some).await);
    }
    records
}

/// All findings, one line each.
fn findings_of(record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    for case in findings(record) {
        for difference in &case.differences {
            let (check, place) = (difference.check.id, &difference.pointer);
            lines.push(format!(
                "{check} in {} at {place}: {}",
                case.id, difference.actual
            ));
        }
    }
    lines
}

/// Tests the first row of each check. `EXHAUSTIVE` selects all rows, `FAULT` some by name.
#[tokio::test]
async fn each_fault_is_caught_by_the_check_that_names_it() {
    let only = std::env::var("FAULT").ok();
    let mut rows = faults::caught();
    let mut checks = BTreeSet::new();
    rows.retain(|row| match &only {
        Some(only) => format!("{:?}", row.1).contains(only),
        None => checks.insert(row.2) || is_exhaustive(),
    });
    let records = runs(&rows, By::Document, |row| operation(row.3)).await;
    let attended = runs(&rows, By::Owner, |row| operation(row.3)).await;
    let missed = fault_ledger::missed("shop");
    let (mut wrong, mut outcomes) = (Vec::new(), Vec::new());
    for ((what, _, check, id), (record, attended)) in rows.iter().zip(records.iter().zip(&attended))
    {
        let entry = fault_ledger::entry(what, &[operation(id)], check);
        let is_missed = missed.contains(&entry);
        outcomes.push(Outcome {
            entry,
            now: fault_ledger::outcome(record, check),
            attended: fault_ledger::attended(attended, check),
        });
        let case = record.cases.iter().find(|case| case.id.ends_with(id));
        let is_caught = case.is_some_and(|case| {
            let names = case
                .differences
                .iter()
                .any(|difference| difference.check.id == *check);
            names && case.verdict >= Verdict::Warn
        });
        if !is_caught && !is_missed {
            let why = case.map(|case| (case.verdict, &case.reason));
            let found = findings_of(record);
            wrong.push(format!(
                "{what}: no {check} in {id} ({why:?}), but {found:#?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    fault_ledger::assert_unchanged("shop", &outcomes);
}

#[test]
fn the_ledger_lists_each_fault() {
    let rows = faults::caught().into_iter();
    let entries =
        rows.map(|(what, _, check, id)| fault_ledger::entry(what, &[operation(id)], check));
    fault_ledger::assert_listed("shop", &entries.collect());
}

#[test]
fn the_catalogue_has_no_row_twice() {
    let mut rows: Vec<String> = faults::caught()
        .iter()
        .map(|(_, fault, check, id)| format!("{fault:?} {check} {id}"))
        .collect();
    let count = rows.len();
    rows.sort();
    rows.dedup();
    assert_eq!(rows.len(), count);
    assert!(count >= 60, "{count} faults");
}

/// Runs without a fault: there must be no finding, and few skips.
async fn assert_clean(style: Style, by: By, seed: u64) {
    let record = run((Fault::None, style), by, seed, &[]).await;
    let found = findings(&record);
    assert!(
        found.is_empty(),
        "{by:?}, seed {seed}, {style:?}: {found:#?}"
    );
    let unsuccessful: Vec<String> = ids(&record)
        .into_iter()
        .filter(|text| text.starts_with("laws/success/") && !text.ends_with(" pass"))
        .collect();
    assert!(unsuccessful.is_empty(), "{unsuccessful:?}");
}

#[tokio::test]
async fn nothing_is_found_in_the_untouched_shop() {
    for some in seeds(50).chunks(AT_ONCE) {
        join_all(
            some.iter()
                .map(|seed| assert_clean(Style::default(), By::Document, *seed)),
        )
        .await;
    }
}

#[tokio::test]
async fn nothing_is_found_in_the_untouched_shop_with_its_behaviour_file() {
    let runs = seeds(10).into_iter();
    join_all(runs.map(|seed| assert_clean(Style::default(), By::Owner, seed))).await;
}

#[tokio::test]
async fn nothing_is_found_in_shops_of_other_styles() {
    let plain = Style::default();
    let styles = [
        Style {
            sorted: true,
            more_headers: true,
            ..plain
        },
        Style {
            counted: true,
            blunt: true,
            ..plain
        },
        Style {
            uuids: true,
            only_400: true,
            ..plain
        },
        Style {
            more_properties: true,
            ..plain
        },
        Style {
            pause: Some(Duration::from_millis(3)),
            ..plain
        },
    ];
    for style in styles {
        assert_clean(style, By::Document, 7).await;
    }
}
