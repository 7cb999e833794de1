//! Refusals: which codes the refusals of a run had, so that a documented refusal counts as seen only where its own was answered.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::Open;
use crate::constants::Constants;
use crate::exchange::Exchange;

/// The codes of the refusals of each operation and status.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    answered: BTreeMap<(String, u16), BTreeSet<Constants>>,
    /// The operations that have granted something.
    granted: BTreeSet<String>,
}

impl Refusals {
    /// Takes the answer of an exchange.
    pub(super) fn note(&mut self, exchange: &Exchange) {
        let Ok(answer) = exchange.outcome.as_ref() else {
            return;
        };
        if answer.status < 400 {
            let is_known = self.granted.contains(&exchange.sent.operation);
            if answer.is_success() && !is_known {
                self.granted.insert(exchange.sent.operation.clone());
            }
            return;
        }
        let place = (exchange.sent.operation.clone(), answer.status);
        let answered = self.answered.entry(place).or_default();
        answered.extend(answer.json().map(Constants::of));
    }

    /// Whether some request was refused with the status of a documented one, by an operation that has granted others: what
    /// only fails shows nothing.
    pub(super) fn are_seen(&self, operation: &str, open: &Open) -> bool {
        let place = (operation.to_owned(), open.status);
        self.granted.contains(operation) && self.answered.contains_key(&place)
    }

    /// Whether a refusal had the codes of a documented one, if it has any; of one that operations share, that of any of them.
    pub(super) fn have(&self, operation: &str, open: &Open) -> bool {
        let is_one =
            |own: &(String, u16)| own.1 == open.status && (open.is_shared || own.0 == operation);
        let answered = self.answered.iter().filter(|own| is_one(own.0));
        let mut answered = answered.flat_map(|own| own.1);
        open.constants.is_empty() || answered.any(|own| own.have(&open.constants))
    }
}
