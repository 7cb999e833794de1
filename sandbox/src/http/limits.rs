//! Limits the size of request bodies.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::StatusCode;

use crate::contract::Contract;
use crate::exchanges::{Recorder, without_card_numbers};

/// The most bytes of a body.
pub const BODY_LIMIT: usize = 1 << 20;

/// Reads the whole body and refuses it when it is too large. Masks card numbers in its free texts.
pub(crate) async fn bound(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    match to_bytes(body, BODY_LIMIT).await {
        Ok(bytes) => {
            let bytes = without_card_numbers(bytes, Contract::bundled());
            if let Some(recorder) = parts.extensions.get::<Recorder>() {
                recorder.body(&bytes);
            }
            next.run(Request::from_parts(parts, bytes.into())).await
        }
        Err(error) if is_too_long(&error) => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        // The client disconnected or violated HTTP.
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        source = error.source();
    }
    false
}
