//! What the steps of one script share, and what they keep for each other.

use std::collections::BTreeMap;

use openapi_document::Node;

use super::outcome::Outcome;
use crate::case::Step;
use crate::exchange::Exchange;
use crate::expression::{Outputs, Scope};
use crate::fresh::Fresh;
use crate::judge::History;

/// What the steps of one script share.
pub(crate) struct State<'s> {
    pub(crate) values: Values<'s>,
    pub(crate) fresh: Fresh,
    /// Steps that did not get what they wanted, which others may need, and what stood in the way of each.
    pub(crate) failed: BTreeMap<String, String>,
    /// The exchanges of the steps so far, where somebody looks back at them.
    pub(crate) kept: Option<Vec<Exchange>>,
}

/// What earlier steps have left behind.
pub(crate) struct Values<'s> {
    pub(crate) inputs: &'s BTreeMap<String, Node>,
    pub(crate) outputs: Outputs,
    pub(crate) history: History,
}

impl<'s> State<'s> {
    /// Before the first step.
    pub(crate) fn new(inputs: &'s BTreeMap<String, Node>, fresh: Fresh) -> Self {
        Self {
            values: Values {
                inputs,
                outputs: Outputs::new(),
                history: History::default(),
            },
            fresh,
            failed: BTreeMap::new(),
            kept: None,
        }
    }
}

/// What expressions may use: what earlier steps have left behind, and one exchange.
pub(crate) fn scope<'s>(values: &'s Values<'_>, exchange: Option<&'s Exchange>) -> Scope<'s> {
    Scope {
        inputs: values.inputs,
        outputs: &values.outputs,
        sent: exchange.map(|exchange| &exchange.sent),
        answer: exchange.and_then(|exchange| exchange.outcome.as_ref().ok()),
    }
}

/// Keeps what later steps need.
pub(crate) fn remember(step: &Step<'_>, outcome: &Outcome, state: &mut State<'_>) {
    let Some(exchange) = &outcome.exchange else {
        return;
    };
    state.values.history.record(step, exchange);
    if let Some(kept) = &mut state.kept {
        kept.push(exchange.clone());
    }
    let mut values = BTreeMap::new();
    let scope = scope(&state.values, Some(exchange));
    for (name, expression) in &step.flow.outputs {
        if let Some(value) = expression.evaluate(&scope) {
            values.insert(name.clone(), value);
        }
    }
    state.values.outputs.insert(step.id.clone(), values);
}
