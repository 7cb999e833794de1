//! Converts every error to the contract's form, whatever its source.

use std::panic::AssertUnwindSafe;

use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::{StatusCode, header};
use merchant_payments::models::{Problem, ProblemPlace};
use serde_json::Value;

use super::problem;
use super::request_id::RequestId;
use crate::exchanges::Message;

/// The most bytes that are read of an error's body.
const LONGEST: usize = 1 << 20;

/// Completes errors of the generated code, of the router, and of panics.
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
    let problem = Problem {
        request_id: id.map(|id| id.0),
        ..read(status, &bytes)
    };
    let mut completed = problem::respond(&problem);
    parts.headers.remove(header::CONTENT_TYPE);
    parts.headers.remove(header::CONTENT_LENGTH);
    for (name, value) in &parts.headers {
        completed.headers_mut().entry(name).or_insert(value.clone());
    }
    completed
}

/// Reads an error's body as a problem.
fn read(status: StatusCode, body: &Bytes) -> Problem {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let (code, detail) = problem::fallback(status);
    let code = text(&body, "code")
        .filter(|code| is_code(code))
        .unwrap_or_else(|| code.to_owned());
    let places = body.get("errors").and_then(Value::as_array);
    let errors: Vec<_> = places
        .into_iter()
        .flatten()
        .map(|given| place(given, &code))
        .collect();
    let detail = text(&body, "detail").unwrap_or_else(|| detail.to_owned());
    Problem {
        errors: (!errors.is_empty()).then_some(errors),
        ..problem::new(status, &code, detail)
    }
}

fn place(given: &Value, code: &str) -> ProblemPlace {
    let specific = text(given, "code").filter(|code| is_code(code));
    ProblemPlace {
        pointer: text(given, "pointer").unwrap_or_default(),
        code: specific.unwrap_or_else(|| code.to_owned()),
        detail: text(given, "detail"),
    }
}

/// A text of the error with card numbers masked, because it may quote the request.
fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(Message::text)
}

fn is_code(text: &str) -> bool {
    text.len() == 5 && text.starts_with('E') && text[1..].bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_errors_get_the_form_of_the_contract() {
        let body = r#"{"type":"about:blank","title":"x","status":422,"detail":"wrong",
            "errors":[{"pointer":"/amount","code":"type","detail":"expected a string"}]}"#;
        let problem = read(
            StatusCode::UNPROCESSABLE_ENTITY,
            &Bytes::from_static(body.as_bytes()),
        );
        assert_eq!(
            (problem.code.as_str(), problem.detail.as_deref()),
            ("E1001", Some("wrong"))
        );
        assert_eq!(problem.title, "Unprocessable Content");
        let place = &problem.errors.unwrap()[0];
        assert_eq!(
            (place.pointer.as_str(), place.code.as_str()),
            ("/amount", "E1001")
        );
    }

    #[test]
    fn a_card_number_is_not_repeated() {
        let body = r#"{"detail":"unknown field `4242424242424242`",
            "errors":[{"pointer":"/4242424242424242","detail":"no 4242424242424242"}]}"#;
        let problem = read(
            StatusCode::BAD_REQUEST,
            &Bytes::from_static(body.as_bytes()),
        );
        assert!(!format!("{problem:?}").contains("4242"), "{problem:?}");
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
