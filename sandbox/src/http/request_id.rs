//! The id of an exchange: taken from the request or generated, logged and returned.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use clap::ValueEnum;
use http::{HeaderMap, HeaderName, HeaderValue};
use tracing::Instrument;
use uuid::Uuid;

use super::problem;
use crate::contract::Contract;
use crate::domain::{Code, Rejection};
use crate::exchanges::Message;

/// The header that carries it.
const HEADER: HeaderName = HeaderName::from_static("request-id");
/// The longest id that is accepted.
const LONGEST: usize = 200;

/// The id of the exchange, as a request extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(pub String);

/// How a call without a request id is handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Missing {
    /// The server generates an id.
    #[default]
    Generate,
    /// The server refuses the request.
    Refuse,
}

/// Marks a request without a valid id.
#[derive(Clone, Copy, Debug)]
struct Unnamed;

/// Refuses a request without an id if the setting requires one.
pub(super) async fn require(
    State(missing): State<Missing>,
    request: Request,
    next: Next,
) -> Response {
    if missing == Missing::Refuse && request.extensions().get::<Unnamed>().is_some() {
        let detail = format!("the header has to have 1 to {LONGEST} visible characters");
        let refusal = Rejection::at(Code::Unreadable, "/header/request-id", detail);
        return problem::respond(&problem::problem(refusal.into()));
    }
    next.run(request).await
}

/// Sets the id of the exchange.
pub(super) async fn name(mut request: Request, next: Next) -> Response {
    let id = given(request.headers()).unwrap_or_else(|| {
        request.extensions_mut().insert(Unnamed);
        Uuid::new_v4().hyphenated().to_string()
    });
    let value = HeaderValue::try_from(&id).ok();
    if let Some(value) = &value {
        // Inner layers that read the header see the same id.
        request.headers_mut().insert(HEADER, value.clone());
    }
    request.extensions_mut().insert(RequestId(id.clone()));
    // The macro evaluates the fields only if they are logged.
    let span = tracing::info_span!(
        "request",
        id = Message::text(&id),
        method = %request.method(),
        path = Message::path(request.uri().path(), Contract::bundled()),
    );
    let mut response = next.run(request).instrument(span.clone()).await;
    span.in_scope(|| tracing::info!(status = response.status().as_u16(), "answered"));
    if let Some(value) = value {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

/// The value of the header; `None` when it is missing, empty or too long.
fn given(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(HEADER)?.to_str().ok()?;
    (!text.is_empty() && text.len() <= LONGEST).then(|| text.to_owned())
}
