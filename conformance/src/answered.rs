//! What an exchange has answered: its status, its record, its items.

use openapi_document::Node;

use crate::exchange::{Answer, Exchange};
use crate::model::Call;

/// The record of a successful answer.
pub(crate) fn record_of<'e>(call: &Call<'_>, exchange: &'e Exchange) -> Option<&'e Node> {
    let answer = exchange
        .outcome
        .as_ref()
        .ok()
        .filter(|own| own.is_success())?;
    let record = answer.json()?.at(&call.record()?.at)?;
    record.as_mapping().map(|_| record)
}

/// How an answer is told of in a difference.
pub(crate) fn told(exchange: &Exchange) -> String {
    match &exchange.outcome {
        Ok(answer) => format!("status {}", answer.status),
        Err(_) => "no answer".to_owned(),
    }
}

/// The status of an answer.
pub(crate) fn status(exchange: &Exchange) -> Option<u16> {
    exchange.outcome.as_ref().ok().map(|answer| answer.status)
}

/// Whether an answer may say that what was asked for is there already: not every server has 409 for that.
pub(crate) fn is_conflict(exchange: &Exchange) -> bool {
    matches!(status(exchange), Some(400 | 409 | 422))
}

/// Whether an answer is a success.
pub(crate) fn succeeded(exchange: &Exchange) -> bool {
    exchange.outcome.as_ref().is_ok_and(Answer::is_success)
}

/// The items of a list's answer.
pub(crate) fn items_of<'e>(call: &Call<'_>, exchange: &'e Exchange) -> Option<&'e [Node]> {
    let answer = exchange
        .outcome
        .as_ref()
        .ok()
        .filter(|own| own.is_success())?;
    let at = call.success.as_ref()?.items.as_ref()?;
    answer.json()?.at(at)?.as_sequence()
}

/// The property of a record that is its own key.
pub(crate) fn own_key<'d>(call: &Call<'d>) -> Option<&'d str> {
    call.record()?.key
}
