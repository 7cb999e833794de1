//! A refusal has a code that its document gives the operation, with the status that goes with it. Nothing more is sent
//! for it. Pure.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::codes::{self, Fault};
use crate::exchange::Exchange;
use crate::laws::trial::contradiction::Contradiction;
use crate::model::Model;

/// What is wrong with the code of a refusal.
pub(crate) fn contradiction(model: &Model<'_>, exchange: &Exchange) -> Option<Contradiction> {
    let answer = exchange.outcome.as_ref().ok()?;
    let body = answer
        .json()
        .filter(|_| (400..500).contains(&answer.status))?;
    let code = codes::code_of(body)?;
    let operation = &exchange.sent.operation;
    let due = model.codes().wrong(operation, answer.status, code)?;
    let is_of_status = matches!(due, Fault::Status(_));
    if is_of_status && is_general(model, operation, answer.status) {
        return None;
    }
    Some(Contradiction {
        check: if is_of_status {
            &checks::STATUS_CODE
        } else {
            &checks::FINAL_VALUE
        },
        pointer: place(body, code),
        due: due.told(),
        told: format!("status {} with {code:?}", answer.status),
    })
}

/// Whether a status says how a request is sent rather than what is in it, and the operation does not document it: its code may
/// be a general one then.
fn is_general(model: &Model<'_>, operation: &str, status: u16) -> bool {
    let call = model.call(operation);
    let is_documented = call.is_some_and(|own| own.response(status).is_some());
    matches!(status, 404..=406 | 413 | 415) && !is_documented
}

/// Where a code stands.
fn place(body: &Node, code: &str) -> Pointer {
    let root = Pointer::root();
    let of = |node: &Node, at: &Pointer| {
        let mut own = node.entries().filter(|own| codes::names_code(&own.key));
        let found = own.find(|own| own.value.as_str() == Some(code))?;
        Some(at.join(found.key.as_str()))
    };
    let within = |body: &Node| {
        let mut all = body.entries();
        all.find_map(|own| of(&own.value, &root.join(own.key.as_str())))
    };
    of(body, &root).or_else(|| within(body)).unwrap_or(root)
}
