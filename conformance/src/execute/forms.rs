//! Validates every answer of a run with the schema and headers of its status, and keeps the
//! differences that no case reported.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use openapi_document::view::Operation;

use crate::event::CaseReport;
use crate::exchange::{Exchange, Sent};
use crate::judge::{Difference, Judge};

/// The place of a difference: operation, check, and pointer with `*` for indexes.
type Place = (String, &'static str, String);

/// An answer that breaks the schema of its status.
#[derive(Debug, Clone)]
pub(crate) struct FormDifference {
    /// The difference.
    pub(crate) difference: Difference,
    /// The request.
    pub(crate) sent: Sent,
}

/// The results of validating answers so far.
#[derive(Debug, Default)]
pub(crate) struct Forms<'d> {
    /// The operations whose answers are validated.
    operations: BTreeMap<String, Operation<'d>>,
    /// The operations with at least one validated answer.
    held: BTreeSet<String>,
    odd: BTreeMap<Place, FormDifference>,
    reported: BTreeSet<Place>,
    /// The operations with at least one documented success.
    granted: BTreeSet<String>,
    /// The first answer of each undocumented status.
    undeclared: BTreeMap<(String, u16), Exchange>,
}

impl<'d> Forms<'d> {
    /// Creates a collector for these operations.
    pub(super) fn new(operations: impl IntoIterator<Item = Operation<'d>>) -> Self {
        let operations = operations
            .into_iter()
            .map(|operation| (operation.label(), operation));
        Self {
            operations: operations.collect(),
            ..Self::default()
        }
    }

    /// Whether an operation documents the status of an answer.
    pub(super) fn is_documented(&self, exchange: &Exchange) -> bool {
        let operation = self.operations.get(&exchange.sent.operation);
        let code = { exchange.outcome.as_ref().ok() }.map(|answer| answer.status);
        { operation.zip(code) }.is_some_and(|(operation, code)| operation.documents(code))
    }

    /// Validates an answer. When several cases have the same difference, keeps the one whose id
    /// sorts first, so that the result does not depend on their order.
    pub(super) fn validate(&mut self, judge: &Judge<'_, 'd>, exchange: &Exchange) {
        let sent = &exchange.sent;
        let (Some(operation), Ok(answer)) =
            (self.operations.get(&sent.operation), &exchange.outcome)
        else {
            return;
        };
        let is_same = sent.method == operation.method && answer.status < 500;
        let is_documented = operation.response(answer.status).is_some();
        if is_same && answer.is_success() && is_documented {
            self.granted.insert(sent.operation.clone());
        }
        if is_same && answer.status != 429 && !is_documented {
            let key = (sent.operation.clone(), answer.status);
            let first = self.undeclared.get(&key);
            // Cases run in parallel, so the smallest id decides and not the order.
            if first.is_none_or(|item| sent.case < item.sent.case) {
                self.undeclared.insert(key, exchange.clone());
            }
        }
        let form = judge.form(operation, answer);
        let is_held = form.is_some();
        let mut found = form.unwrap_or_default();
        if sent.method == operation.method {
            found.extend(judge.headers(operation, answer));
        }
        if is_held && !self.held.contains(&sent.operation) {
            self.held.insert(sent.operation.clone());
        }
        for difference in found {
            let place = place(&sent.operation, &difference);
            let odd = || FormDifference {
                difference: difference.clone(),
                sent: sent.clone(),
            };
            match self.odd.entry(place) {
                Entry::Vacant(entry) => {
                    entry.insert(odd());
                }
                Entry::Occupied(mut entry) if sent.case < entry.get().sent.case => {
                    entry.insert(odd());
                }
                Entry::Occupied(_) => {}
            }
        }
    }

    /// Records the differences that a case reports.
    pub(super) fn note_reported(&mut self, report: &CaseReport) {
        let differences = report.differences.iter();
        let places = differences.map(|difference| place(&report.operation_id, difference));
        self.reported.extend(places);
    }

    /// Whether an answer of an operation was validated.
    pub(crate) fn has_held(&self, operation: &str) -> bool {
        self.held.contains(operation)
    }

    /// The operations with at least one documented success, in any case of the run.
    pub(crate) fn granted(&self) -> &BTreeSet<String> {
        &self.granted
    }

    /// The answers of an operation with undocumented statuses, one for each status.
    pub(crate) fn undeclared(&self, operation: &str) -> Vec<Exchange> {
        let all = self.undeclared.iter();
        let of_operation = all.filter(|((of, _), _)| of == operation);
        of_operation.map(|(_, exchange)| exchange.clone()).collect()
    }

    /// The differences in answers of an operation that no case reported.
    pub(crate) fn untold(&self, operation: &str) -> Vec<FormDifference> {
        let odd = self.odd.iter();
        let unreported =
            odd.filter(|(place, _)| place.0 == operation && !self.reported.contains(place));
        unreported.map(|(_, odd)| odd.clone()).collect()
    }
}

fn place(operation: &str, difference: &Difference) -> Place {
    (
        operation.to_owned(),
        difference.check.id,
        difference.place.clone(),
    )
}
