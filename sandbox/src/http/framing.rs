//! Requests whose headers can be read in two ways, which a proxy and this server may do differently.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, header};

use super::problem;
use crate::domain::{Code, Rejection};

/// Refuses a request with two hosts, or with two lengths of its body.
pub(super) async fn require_one_meaning(request: Request, next: Next) -> Response {
    match ambiguity(request.headers()) {
        None => next.run(request).await,
        Some(detail) => {
            let refusal = Rejection::new(Code::Unreadable, detail);
            problem::respond(&problem::problem(refusal.into()))
        }
    }
}

fn ambiguity(headers: &HeaderMap) -> Option<&'static str> {
    let more_than_one = |name| headers.get_all(name).iter().count() > 1;
    if more_than_one(header::HOST) {
        return Some("the request has more than one header Host");
    }
    let has_length = headers.contains_key(header::CONTENT_LENGTH);
    if has_length && headers.contains_key(header::TRANSFER_ENCODING) {
        return Some("the request has Content-Length and Transfer-Encoding");
    }
    None
}
