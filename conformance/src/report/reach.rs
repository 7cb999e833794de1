//! Finds the operations that never succeeded in a run.

use std::collections::BTreeSet;

use crate::event::CaseReport;
use crate::level::Verdict;

/// The prefix of cases that make an operation succeed.
pub(super) const SUCCESS: &str = "laws/success/";

/// Follows the cases of a run.
#[derive(Debug, Default)]
pub(super) struct Reach {
    called: usize,
    succeeded: BTreeSet<String>,
    skipped: Vec<String>,
}

impl Reach {
    /// Counts a case. A documented success counts in every case.
    pub(super) fn add(&mut self, case: &CaseReport) {
        self.called += usize::from(case.id.starts_with(SUCCESS));
        if case.is_granted {
            self.succeeded.insert(case.operation_id.clone());
        }
        match case.verdict {
            Verdict::Skip if case.id.starts_with(SUCCESS) => {
                self.skipped.push(case.operation_id.clone());
            }
            Verdict::Pass | Verdict::Warn if shows_success(case) => {
                self.succeeded.insert(case.operation_id.clone());
            }
            _ => {}
        }
    }

    /// Adds the operations that succeeded in any case of the run.
    pub(super) fn grant(&mut self, operations: &BTreeSet<String>) {
        self.succeeded.extend(operations.iter().cloned());
    }

    /// The number of operations that were called.
    pub(super) fn called(&self) -> usize {
        self.called
    }

    /// Whether an operation was called and did not succeed.
    pub(super) fn lacks(&self, operation: &str) -> bool {
        !self.succeeded.contains(operation) && self.skipped.iter().any(|skip| skip == operation)
    }

    /// The operations that never succeeded, in the order of the run.
    pub(super) fn unreached(&self) -> impl Iterator<Item = &str> {
        let skipped = self.skipped.iter().map(String::as_str);
        skipped.filter(|operation| !self.succeeded.contains(*operation))
    }
}

/// Whether the id of a case names a documented success: `getBox/200/one`.
fn shows_success(case: &CaseReport) -> bool {
    let rest = case.id.strip_prefix(case.operation_id.as_str());
    rest.is_some_and(|rest| rest.starts_with("/2"))
}
