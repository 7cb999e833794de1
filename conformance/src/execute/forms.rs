//! Forms: whether whatever is answered in a run is as the schema of its status says, with its headers, and what of that
//! no case has told.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use openapi_document::view::Operation;

use crate::event::CaseReport;
use crate::exchange::{Exchange, Sent};
use crate::judge::{Difference, Judge};

/// What is wrong: of which operation, found by which check, and where, whichever item of a list it is.
type Place = (String, &'static str, String);

/// An answer that is not as the schema of its status says.
#[derive(Debug, Clone)]
pub(crate) struct Odd {
    /// What is wrong with it.
    pub(crate) difference: Difference,
    /// What was asked.
    pub(crate) sent: Sent,
}

/// What was held against the schemas so far.
#[derive(Debug, Default)]
pub(crate) struct Forms<'d> {
    /// Those whose answers are looked at.
    operations: BTreeMap<String, Operation<'d>>,
    /// Those that had an answer that could be held.
    held: BTreeSet<String>,
    odd: BTreeMap<Place, Odd>,
    told: BTreeSet<Place>,
    /// The first answer of each status that its operation does not document.
    undeclared: BTreeMap<(String, u16), Exchange>,
}

impl<'d> Forms<'d> {
    /// Before the first answer; the answers of these operations will be looked at.
    pub(super) fn new(operations: impl IntoIterator<Item = Operation<'d>>) -> Self {
        let operations = operations.into_iter().map(|own| (own.label(), own));
        Self {
            operations: operations.collect(),
            ..Self::default()
        }
    }

    /// Holds an answer. Of what several cases meet that of the first by name is kept, whichever came first.
    pub(super) fn hold(&mut self, judge: &Judge<'_, 'd>, exchange: &Exchange) {
        let sent = &exchange.sent;
        let (Some(operation), Ok(answer)) =
            (self.operations.get(&sent.operation), &exchange.outcome)
        else {
            return;
        };
        let is_own = sent.method == operation.method && answer.status < 500;
        if is_own && answer.status != 429 && operation.response(answer.status).is_none() {
            let key = (sent.operation.clone(), answer.status);
            let first = self.undeclared.get(&key);
            // Cases are tried beside each other: the first by name is kept.
            if first.is_none_or(|own| sent.case < own.sent.case) {
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
            let odd = || Odd {
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

    /// Takes what a case tells.
    pub(super) fn tell(&mut self, report: &CaseReport) {
        let differences = report.differences.iter();
        let places = differences.map(|own| place(&report.operation_id, own));
        self.told.extend(places);
    }

    /// Whether an answer of an operation was held.
    pub(crate) fn has_held(&self, operation: &str) -> bool {
        self.held.contains(operation)
    }

    /// The answers of an operation whose status it does not document, one for each status.
    pub(crate) fn undeclared(&self, operation: &str) -> Vec<Exchange> {
        let all = self.undeclared.iter();
        let own = all.filter(|((of, _), _)| of == operation);
        own.map(|(_, exchange)| exchange.clone()).collect()
    }

    /// What is wrong with the answers of an operation, and no case has told.
    pub(crate) fn untold(&self, operation: &str) -> Vec<Odd> {
        let odd = self.odd.iter();
        let own = odd.filter(|(place, _)| place.0 == operation && !self.told.contains(place));
        own.map(|(_, odd)| odd.clone()).collect()
    }
}

fn place(operation: &str, difference: &Difference) -> Place {
    (
        operation.to_owned(),
        difference.check.id,
        difference.starred(),
    )
}
