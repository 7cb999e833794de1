//! Reads the answer of an exchange: status, record, items.

use openapi_document::Node;

use crate::exchange::{Answer, Exchange};
use crate::model::Call;

/// The record in a successful answer.
pub(crate) fn record_of<'e>(call: &Call<'_>, exchange: &'e Exchange) -> Option<&'e Node> {
    let answer = exchange
        .outcome
        .as_ref()
        .ok()
        .filter(|answer| answer.is_success())?;
    let record = answer.json()?.at(&call.record()?.at)?;
    record.as_mapping().map(|_| record)
}

/// How a difference describes an answer: its status, or `no answer`.
pub(crate) fn describe(exchange: &Exchange) -> String {
    match &exchange.outcome {
        Ok(answer) => format!("status {}", answer.status),
        Err(_) => "no answer".to_owned(),
    }
}

/// The status of an answer.
pub(crate) fn status(exchange: &Exchange) -> Option<u16> {
    exchange.outcome.as_ref().ok().map(|answer| answer.status)
}

/// Whether the server may have refused the request as a duplicate: 409, or 400 or 422, which some
/// servers send instead.
pub(crate) fn is_conflict(exchange: &Exchange) -> bool {
    matches!(status(exchange), Some(400 | 409 | 422))
}

/// Whether a status says that the server is busy or not available now: too many requests, a proxy
/// without its server.
pub(crate) fn is_passing(code: u16) -> bool {
    matches!(code, 408 | 425 | 429 | 502..=504)
}

pub(crate) fn succeeded(exchange: &Exchange) -> bool {
    exchange.outcome.as_ref().is_ok_and(Answer::is_success)
}

/// The items in a successful answer of a list operation.
pub(crate) fn items_of<'e>(call: &Call<'_>, exchange: &'e Exchange) -> Option<&'e [Node]> {
    let answer = exchange
        .outcome
        .as_ref()
        .ok()
        .filter(|answer| answer.is_success())?;
    let at = call.success.as_ref()?.items.as_ref()?;
    answer.json()?.at(at)?.as_sequence()
}

/// The property of a record that holds its key.
pub(crate) fn key_name<'d>(call: &Call<'d>) -> Option<&'d str> {
    call.record()?.key
}
