//! Refusals: collects the statuses of answers and the codes of refusals, so that a documented refusal
//! counts as seen only with its code.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::Open;
use crate::constants::Constants;
use crate::exchange::Exchange;

/// The codes of refusals for each operation and status.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    answered: BTreeMap<(String, u16), BTreeSet<Constants>>,
    /// The operations that succeeded at least once.
    succeeded: BTreeSet<String>,
    /// The operations with the statuses of their successes.
    successes: BTreeSet<(String, u16)>,
}

impl Refusals {
    /// Records the answer of an exchange.
    pub(super) fn note(&mut self, exchange: &Exchange) {
        let Ok(answer) = exchange.outcome.as_ref() else {
            return;
        };
        let place = (exchange.sent.operation.clone(), answer.status);
        if answer.status < 400 {
            let is_known = self.succeeded.contains(&exchange.sent.operation);
            if answer.is_success() && !is_known {
                self.succeeded.insert(exchange.sent.operation.clone());
            }
            if answer.is_success() {
                self.successes.insert(place);
            }
            return;
        }
        let answered = self.answered.entry(place).or_default();
        answered.extend(answer.json().map(Constants::of));
    }

    /// Whether an operation answered with the status of a documented answer: a success, or a refusal
    /// if it accepted other requests. An operation that only fails shows nothing.
    pub(super) fn are_seen(&self, operation: &str, open: &Open) -> bool {
        let place = (operation.to_owned(), open.status);
        self.successes.contains(&place)
            || (self.succeeded.contains(operation) && self.answered.contains_key(&place))
    }

    /// Whether an operation succeeded at least once.
    pub(crate) fn has_succeeded(&self, operation: &str) -> bool {
        self.succeeded.contains(operation)
    }

    /// Whether a refusal had the codes of the documented one. A shared response counts for every
    /// operation with it.
    pub(super) fn have(&self, operation: &str, open: &Open) -> bool {
        let is_one =
            |item: &(String, u16)| item.1 == open.status && (open.is_shared || item.0 == operation);
        let answered = self.answered.iter().filter(|item| is_one(item.0));
        let mut answered = answered.flat_map(|item| item.1);
        open.constants.is_empty() || answered.any(|item| item.have(&open.constants))
    }
}
