//! State: the values that the steps of one script share.

use std::collections::BTreeMap;

use openapi_document::Node;

use super::outcome::Outcome;
use crate::case::Step;
use crate::exchange::Exchange;
use crate::expression::{Outputs, Scope};
use crate::fresh::Fresh;
use crate::judge::History;

pub(crate) struct State<'s> {
    pub(crate) values: Values<'s>,
    pub(crate) fresh: Fresh,
    /// Failed steps that later steps may need, with the reason.
    pub(crate) failed: BTreeMap<String, String>,
    /// The exchanges of the steps so far. `None` when nothing needs them.
    pub(crate) kept: Option<Vec<Exchange>>,
}

/// The values that earlier steps produced.
pub(crate) struct Values<'s> {
    pub(crate) inputs: &'s BTreeMap<String, Node>,
    pub(crate) outputs: Outputs,
    pub(crate) history: History,
}

impl<'s> State<'s> {
    /// Creates the state before the first step.
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

/// The scope of expressions: the values of earlier steps, and one exchange.
pub(crate) fn scope<'s>(values: &'s Values<'_>, exchange: Option<&'s Exchange>) -> Scope<'s> {
    Scope {
        inputs: values.inputs,
        outputs: &values.outputs,
        sent: exchange.map(|exchange| &exchange.sent),
        answer: exchange.and_then(|exchange| exchange.outcome.as_ref().ok()),
    }
}

/// Keeps the values that later steps need.
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
