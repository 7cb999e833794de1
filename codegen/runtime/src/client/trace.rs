//! A span of `tracing` for each call.

use http::StatusCode;
use tracing::Span;
use tracing::field::Empty;

use super::call::Call;
use super::error::Cause;

/// A call with its span: the operation, the status, the attempts and the request id. It has no address,
/// header or body, because these may hold secrets.
pub(super) fn begin(mut call: Box<Call>) -> (Box<Call>, Span) {
    let operation = call.operation;
    let span = tracing::info_span!(
        "call",
        operation = operation.id,
        method = operation.method,
        path = operation.path,
        status = Empty,
        attempts = Empty,
        request_id = Empty,
    );
    call.span.clone_from(&span);
    (call, span)
}

/// Notes an attempt, with its status or why it failed.
pub(super) fn attempt(span: &Span, number: u32, result: Result<StatusCode, &Cause>) {
    span.record("attempts", number);
    match result {
        Ok(status) => {
            span.record("status", status.as_u16());
            tracing::debug!(parent: span, attempt = number, status = status.as_u16());
        }
        Err(error) => tracing::debug!(parent: span, attempt = number, %error),
    }
}
