//! The name of an exchange: taken from the request or made, logged and given back.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue};
use tracing::Instrument;
use uuid::Uuid;

use crate::contract::Contract;
use crate::exchanges::Message;

/// The header that carries it.
const HEADER: HeaderName = HeaderName::from_static("request-id");
/// The longest value that is taken over.
const LONGEST: usize = 200;

/// The id of the exchange, among the extensions of its request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(pub String);

/// Gives the exchange its id.
pub(super) async fn name(mut request: Request, next: Next) -> Response {
    let id = given(request.headers()).unwrap_or_else(|| Uuid::new_v4().hyphenated().to_string());
    let value = HeaderValue::try_from(&id).ok();
    if let Some(value) = &value {
        // Whoever reads the header further in is to see the same id.
        request.headers_mut().insert(HEADER, value.clone());
    }
    request.extensions_mut().insert(RequestId(id.clone()));
    let path = Message::path(request.uri().path(), Contract::bundled());
    let shown = Message::text(&id);
    let span = tracing::info_span!("request", id = shown, method = %request.method(), path);
    let mut response = next.run(request).instrument(span.clone()).await;
    span.in_scope(|| tracing::info!(status = response.status().as_u16(), "answered"));
    if let Some(value) = value {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

/// The value of the header when it is one that can be logged and given back.
fn given(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(HEADER)?.to_str().ok()?;
    (!text.is_empty() && text.len() <= LONGEST).then(|| text.to_owned())
}
