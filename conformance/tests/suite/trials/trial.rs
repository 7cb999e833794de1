//! A document with a server that can have one fault: the correct server has no finding, and the
//! check that names a fault finds it.

use std::path::{Path, PathBuf};
use std::pin::Pin;

use conformance::level::{Level, Verdict};
use conformance::report::Record;
use futures_util::future::join_all;

use super::SAMPLE;
use crate::support::fault_ledger::{self, Outcome};
use crate::support::style::{self, Style};
use crate::support::{By, certify, is_exhaustive, seeds};

/// The number of parallel runs.
const AT_ONCE: usize = 10;

/// The fault, the operations to test, and the check that names it.
pub(crate) type Row = (&'static str, &'static [&'static str], &'static str);

/// A server that is being opened; yields its address.
pub(crate) type Opening = Pin<Box<dyn Future<Output = String>>>;

/// The tests of a trial.
macro_rules! trial_tests {
    ($trial:expr) => {
        #[tokio::test]
        async fn nothing_is_found_in_the_untouched_server() {
            $trial.assert_nothing_is_found(By::Document).await;
        }

        #[tokio::test]
        async fn nothing_is_found_in_the_untouched_server_with_its_behaviour_file() {
            $trial.assert_nothing_is_found(By::Owner).await;
        }

        #[tokio::test]
        async fn nothing_is_found_in_a_correct_server_of_another_style() {
            $trial.assert_no_style_is_found().await;
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
    /// The header with the key.
    pub(crate) header: (&'static str, &'static str),
    /// The header of another tenant, if the server knows one.
    pub(crate) neighbour: Option<(&'static str, &'static str)>,
    /// The header of a client that may only read, if the server knows one.
    pub(crate) reader: Option<(&'static str, &'static str)>,
    /// Opens the server with a fault.
    pub(crate) open: fn(&'static str) -> Opening,
    /// The faults, each with the check that should find it. The ledger lists those that are found.
    pub(crate) faults: &'static [Row],
}

impl Trial {
    /// A run on a new server.
    pub(crate) async fn run(
        &self,
        fault: &'static str,
        by: By,
        seed: u64,
        operations: &[&str],
    ) -> Record {
        let address = (self.open)(fault).await;
        self.run_at(&address, by, seed, operations).await
    }

    fn document(&self) -> PathBuf {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/trials");
        tests.join(self.document)
    }

    async fn run_at(&self, address: &str, by: By, seed: u64, operations: &[&str]) -> Record {
        let mut options = by.options(&self.document(), address);
        let owned = |item: (&str, &str)| (item.0.to_owned(), item.1.to_owned());
        options.headers = vec![owned(self.header)];
        options.neighbour = self.neighbour.map(owned).into_iter().collect();
        options.reader = self.reader.map(owned).into_iter().collect();
        options.laws = true;
        options.seed = seed;
        options.selection.operations = operations
            .iter()
            .map(|operation| (*operation).to_owned())
            .collect();
        certify(&options).await.unwrap()
    }

    async fn assert_clean(&self, by: By, seed: u64) {
        let record = self.run("none", by, seed, &[]).await;
        let found = findings_of(&record);
        assert!(found.is_empty(), "{by:?}, seed {seed}: {found:#?}");
        let skipped = unsuccessful(&record);
        assert!(skipped.is_empty(), "{by:?}, seed {seed}: {skipped:#?}");
    }

    /// A correct server in another style has no finding. Tries one style and one seed; with
    /// `EXHAUSTIVE` each style and three seeds.
    pub(crate) async fn assert_no_style_is_found(&self) {
        let document = &self.document();
        let mut styles = Style::ALL.to_vec();
        styles.retain(|style| style.applies_to(document));
        let mut all = super::ALL.iter();
        let place = all.position(|item| item.document == self.document).unwrap();
        let sample = styles[place % styles.len()];
        let mut wrong = Vec::new();
        for style in styles {
            let seeds = match is_exhaustive() {
                true => 1..=3,
                false if style == sample => 1..=1,
                false => continue,
            };
            let runs = join_all(seeds.map(|seed| async move {
                let server = (self.open)("none").await;
                let address = style::start(&server, document, style).await;
                (seed, self.run_at(&address, By::Document, seed, &[]).await)
            }));
            for (seed, record) in runs.await {
                let skipped = unsuccessful(&record).into_iter();
                wrong.extend(skipped.map(|case| format!("{style:?}, seed {seed}: {case}")));
                let found = findings_of(&record).into_iter();
                wrong.extend(found.map(|found| format!("{style:?}, seed {seed}: {found}")));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// The correct server has no finding with any seed.
    pub(crate) async fn assert_nothing_is_found(&self, by: By) {
        for some in seeds(10).chunks(AT_ONCE) {
            join_all(some.iter().map(|seed| self.assert_clean(by, *seed))).await;
        }
    }

    /// The outcomes of the sample equal the ledger. `EXHAUSTIVE` selects all faults, `FAULT` some
    /// by name.
    pub(crate) async fn assert_caught(&self) {
        let rows = self.rows();
        let alone = self.runs(&rows, By::Document).await;
        let attended = self.runs(&rows, By::Owner).await;
        let mut outcomes = Vec::new();
        for ((fault, operations, check), (alone, attended)) in
            rows.into_iter().zip(alone.iter().zip(&attended))
        {
            outcomes.push(Outcome {
                entry: fault_ledger::entry(fault, operations, check),
                now: fault_ledger::outcome(alone, check),
                attended: fault_ledger::attended(attended, check),
            });
        }
        fault_ledger::assert_unchanged(self.document, &outcomes);
    }

    /// The selected rows.
    fn rows(&self) -> Vec<&'static Row> {
        let only = std::env::var("FAULT").ok();
        let is_asked_for = |index: usize, row: &Row| match &only {
            Some(only) => only.split(',').any(|name| name == row.0),
            None => is_exhaustive() || SAMPLE.contains(&(self.document, index)),
        };
        let rows = self.faults.iter().enumerate();
        rows.filter(|(index, row)| is_asked_for(*index, row))
            .map(|(_, row)| row)
            .collect()
    }

    /// Runs of some rows.
    async fn runs(&self, rows: &[&'static Row], by: By) -> Vec<Record> {
        let mut all = Vec::new();
        for some in rows.chunks(AT_ONCE) {
            let runs = some.iter().map(|row| self.run(row.0, by, 1, row.1));
            all.extend(join_all(runs).await);
        }
        all
    }
}

/// The operations that never succeeded, with the reasons.
fn unsuccessful(record: &Record) -> Vec<String> {
    let cases = record
        .cases
        .iter()
        .filter(|case| case.id.starts_with("laws/success/") && case.verdict != Verdict::Pass);
    cases
        .map(|case| format!("{} {:?}: {:?}", case.id, case.verdict, case.reason))
        .collect()
}

/// All findings above a note, one line each.
fn findings_of(record: &Record) -> Vec<String> {
    let all = record.cases.iter();
    let all = all.flat_map(|case| {
        case.differences
            .iter()
            .map(move |difference| (case, difference))
    });
    let all = all.filter(|(_, difference)| difference.level > Level::May);
    all.map(|(case, item)| {
        let (check, place) = (item.check.id, &item.pointer);
        format!(
            "{check} in {} at {place}: {} | {}",
            case.id, item.expected, item.actual
        )
    })
    .collect()
}
