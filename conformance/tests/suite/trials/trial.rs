//! A document with a server that can be told to be wrong in one thing: nothing is found in it as it is, and
//! each fault by the check that names it.

use std::path::Path;
use std::pin::Pin;

use conformance::report::Record;
use futures_util::future::join_all;

use super::SAMPLE;
use crate::support::{certify, fault_ledger, ids, is_exhaustive, options, seeds};

/// So many runs are under way at once.
const AT_ONCE: usize = 10;

/// The fault, the operations that it is looked for in, and the check that names it.
pub(crate) type Row = (&'static str, &'static [&'static str], &'static str);

/// A server on its way; its address.
pub(crate) type Opening = Pin<Box<dyn Future<Output = String>>>;

/// The tests of a trial, beside its rows.
macro_rules! trial_tests {
    ($trial:expr) => {
        #[tokio::test]
        async fn nothing_is_found_in_the_untouched_server() {
            $trial.assert_nothing_is_found().await;
        }

        #[tokio::test]
        async fn each_fault_is_caught_by_the_check_that_names_it() {
            $trial.assert_caught().await;
        }
    };
}

/// A document and its server.
pub(crate) struct Trial {
    /// The document, beside the tests.
    pub(crate) document: &'static str,
    /// The header that carries the key.
    pub(crate) header: (&'static str, &'static str),
    /// The header of somebody whose records are others, where the server knows one.
    pub(crate) neighbour: Option<(&'static str, &'static str)>,
    /// The header of somebody who may only read, where the server knows one.
    pub(crate) reader: Option<(&'static str, &'static str)>,
    /// Opens the server with a fault.
    pub(crate) open: fn(&'static str) -> Opening,
    /// Each is caught by its check.
    pub(crate) faults: &'static [Row],
    /// What no law catches yet, with the check that should, and why not.
    pub(crate) missed: &'static [Row],
}

impl Trial {
    pub(crate) async fn run(&self, fault: &'static str, seed: u64, operations: &[&str]) -> Record {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/trials");
        let address = (self.open)(fault).await;
        let mut options = options(&tests.join(self.document), &address);
        let owned = |own: (&str, &str)| (own.0.to_owned(), own.1.to_owned());
        options.headers = vec![owned(self.header)];
        options.neighbour = self.neighbour.map(owned).into_iter().collect();
        options.reader = self.reader.map(owned).into_iter().collect();
        options.laws = true;
        options.seed = seed;
        options.selection.operations = operations.iter().map(|own| (*own).to_owned()).collect();
        certify(&options).await.unwrap()
    }

    async fn assert_clean(&self, seed: u64) {
        let record = self.run("none", seed, &[]).await;
        let found = told(&record);
        assert!(found.is_empty(), "seed {seed}: {found:#?}");
        let unsuccessful: Vec<String> = ids(&record)
            .into_iter()
            .filter(|own| own.starts_with("laws/success/") && !own.ends_with(" pass"))
            .collect();
        let reasons = record.cases.iter().filter_map(|own| own.reason.as_deref());
        let reasons: Vec<&str> = reasons.collect();
        assert!(unsuccessful.is_empty(), "{unsuccessful:?}: {reasons:#?}");
    }

    /// Nothing is found in the server as it is, whatever the seed.
    pub(crate) async fn assert_nothing_is_found(&self) {
        for some in seeds(10).chunks(AT_ONCE) {
            join_all(some.iter().map(|seed| self.assert_clean(*seed))).await;
        }
    }

    /// Each fault of the sample is caught by its check; `EXHAUSTIVE` asks for all, `FAULT` for some by name. Nothing is
    /// found of those that are known to be missed. Where one of those is caught, a law has come: its row moves up.
    pub(crate) async fn assert_caught(&self) {
        let (mut wrong, mut outcomes) = (Vec::new(), Vec::new());
        for (row, record) in self.runs(self.faults).await {
            let (fault, operations, check) = row;
            let outcome = fault_ledger::outcome(&record, check);
            outcomes.push((fault_ledger::entry(fault, operations, check), outcome));
            if !["fail", "warn"].contains(&outcome) {
                let found = told(&record);
                wrong.push(format!(
                    "{fault} in {operations:?}: no {check}, but {found:#?}"
                ));
            }
        }
        for ((fault, operations, check), record) in self.runs(self.missed).await {
            let outcome = fault_ledger::outcome(&record, check);
            outcomes.push((fault_ledger::entry(fault, operations, check), outcome));
            let found = told(&record);
            if !found.is_empty() {
                wrong.push(format!("{fault} is caught: {found:#?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        fault_ledger::assert_unchanged(self.document, &outcomes);
    }

    /// Runs of the rows that are asked for.
    async fn runs(&self, rows: &'static [Row]) -> Vec<(&'static Row, Record)> {
        let only = std::env::var("FAULT").ok();
        let is_known = std::ptr::eq(rows, self.faults);
        let is_asked_for = |index: usize, row: &Row| match &only {
            Some(only) => only.split(',').any(|own| own == row.0),
            None => is_exhaustive() || is_known && SAMPLE.contains(&(self.document, index)),
        };
        let rows: Vec<&Row> = rows
            .iter()
            .enumerate()
            .filter(|(index, row)| is_asked_for(*index, row))
            .map(|(_, row)| row)
            .collect();
        let mut all = Vec::new();
        for some in rows.chunks(AT_ONCE) {
            let runs = some.iter().map(|row| self.run(row.0, 1, row.1));
            all.extend(some.iter().copied().zip(join_all(runs).await));
        }
        all
    }
}

/// Everything that was found, a line each.
fn told(record: &Record) -> Vec<String> {
    let all = record.cases.iter();
    let all = all.flat_map(|case| case.differences.iter().map(move |own| (case, own)));
    all.map(|(case, own)| {
        let (check, place) = (own.check.id, &own.pointer);
        format!(
            "{check} in {} at {place}: {} | {}",
            case.id, own.expected, own.actual
        )
    })
    .collect()
}
