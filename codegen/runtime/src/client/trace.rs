//! A span of `tracing` for each call.

use http::StatusCode;

use super::call::Call;
use super::error::Cause;

/// The span of a call: the operation, the status, the attempts and the request id. It has no address,
/// header or body, because these may hold secrets.
pub(super) struct Trace {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

#[cfg(feature = "tracing")]
impl Trace {
    pub(super) fn new(call: &Call) -> Self {
        let operation = call.operation;
        Self {
            span: tracing::info_span!(
                "call",
                operation = operation.id,
                method = operation.method,
                path = operation.path,
                status = tracing::field::Empty,
                attempts = tracing::field::Empty,
                request_id = tracing::field::Empty,
            ),
        }
    }

    pub(super) async fn around<F: Future>(&self, call: F) -> F::Output {
        tracing::Instrument::instrument(call, self.span.clone()).await
    }

    /// The id that each attempt has.
    pub(super) fn request_id(&self, id: &str) {
        self.span.record("request_id", id);
    }

    /// An attempt, with its status or why it failed.
    pub(super) fn attempt(&self, number: u32, result: Result<StatusCode, &Cause>) {
        self.span.record("attempts", number);
        match result {
            Ok(status) => {
                self.span.record("status", status.as_u16());
                tracing::debug!(parent: &self.span, attempt = number, status = status.as_u16());
            }
            Err(error) => tracing::debug!(parent: &self.span, attempt = number, %error),
        }
    }
}

#[cfg(not(feature = "tracing"))]
impl Trace {
    pub(super) fn new(_call: &Call) -> Self {
        Self {}
    }

    pub(super) async fn around<F: Future>(&self, call: F) -> F::Output {
        call.await
    }

    pub(super) fn request_id(&self, _id: &str) {}

    pub(super) fn attempt(&self, _number: u32, _result: Result<StatusCode, &Cause>) {}
}
