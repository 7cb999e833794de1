//! Gives every error the form of the contract, whoever made it.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::{StatusCode, header};
use serde_json::Value;
use std::panic::AssertUnwindSafe;

use super::problem::{Place, Problem};
use super::request_id::RequestId;
use crate::domain::Code;

/// The most that is read of an error's body.
const LONGEST: usize = 1 << 20;

/// Completes errors: those of the generated stubs, of the router, and of a panic.
pub(super) async fn complete(request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let response = answered.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response());
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, LONGEST).await.unwrap_or_default();
    let mut problem = read(status, &bytes);
    problem.request_id = id.map(|id| id.0);
    let mut completed = problem.into_response();
    parts.headers.remove(header::CONTENT_TYPE);
    parts.headers.remove(header::CONTENT_LENGTH);
    for (name, value) in &parts.headers {
        completed.headers_mut().entry(name).or_insert(value.clone());
    }
    completed
}

/// What a body says of an error, in the words of the contract.
fn read(status: StatusCode, body: &Bytes) -> Problem {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let (code, detail) = fallback(status);
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let code = text(&body, "code")
        .filter(|code| is_code(code))
        .unwrap_or_else(|| code.to_owned());
    let places = body.get("errors").and_then(Value::as_array);
    let errors = places.into_iter().flatten().map(|place| Place {
        pointer: text(place, "pointer").unwrap_or_default(),
        code: text(place, "code")
            .filter(|code| is_code(code))
            .unwrap_or_else(|| code.clone()),
        detail: text(place, "detail").unwrap_or_default(),
    });
    let errors = errors.collect();
    let detail = text(&body, "detail").unwrap_or_else(|| detail.to_owned());
    Problem {
        errors,
        ..Problem::new(status.as_u16(), &code, detail)
    }
}

/// Code and sentence of an error that has none of its own.
fn fallback(status: StatusCode) -> (&'static str, &'static str) {
    match status.as_u16() {
        401 => (
            Code::Credentials.row().0,
            "the request has no valid credentials",
        ),
        404 => (Code::UnknownRecord.row().0, "there is nothing at this path"),
        405 => ("E1405", "the path does not take this method"),
        413 => ("E1413", "the body is too large"),
        415 => ("E1415", "the body has to be application/json"),
        422 => (
            Code::ContractViolation.row().0,
            "the request breaks the contract",
        ),
        400..=499 => (Code::Unreadable.row().0, "the request cannot be read"),
        501 => ("E1501", "the sandbox does not have this operation yet"),
        503 => (
            "E1503",
            "the service cannot answer at the moment; try again",
        ),
        _ => ("E1500", "the service failed"),
    }
}

fn is_code(text: &str) -> bool {
    text.len() == 5 && text.starts_with('E') && text[1..].bytes().all(|byte| byte.is_ascii_digit())
}

/// A path that does not exist.
pub(super) async fn nowhere() -> Response {
    (StatusCode::NOT_FOUND, Body::empty()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_others_are_put_into_the_words_of_the_contract() {
        let body = r#"{"type":"about:blank","title":"x","status":422,"detail":"wrong",
            "errors":[{"pointer":"/amount","code":"type","detail":"expected a string"}]}"#;
        let problem = read(
            StatusCode::UNPROCESSABLE_ENTITY,
            &Bytes::from_static(body.as_bytes()),
        );
        assert_eq!(
            (problem.code.as_str(), problem.detail.as_str()),
            ("E1001", "wrong")
        );
        assert_eq!(problem.title, "Unprocessable Content");
        let place = &problem.errors[0];
        assert_eq!(
            (place.pointer.as_str(), place.code.as_str()),
            ("/amount", "E1001")
        );
    }

    #[test]
    fn every_error_status_has_a_code() {
        for status in 400..600 {
            let status = StatusCode::from_u16(status).unwrap();
            let problem = read(status, &Bytes::new());
            assert!(is_code(&problem.code), "{status}");
        }
    }
}
