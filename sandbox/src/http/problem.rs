//! Creates errors in the contract's form.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use merchant_payments::models::{Problem, ProblemPlace};

use crate::domain::{Code, Rejection};
use crate::service::Failure;

/// The media type of a problem.
pub const PROBLEM: &str = "application/problem+json";

/// The authentication schemes for `WWW-Authenticate`.
pub const SCHEMES: &str = r#"Basic realm="merchant-payments", charset="UTF-8""#;

/// A problem with a status, a code and a sentence.
pub(super) fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Problem {
    let title = match status.as_u16() {
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        _ => status.canonical_reason().unwrap_or("Error"),
    };
    Problem {
        r#type: "about:blank".to_owned(),
        title: title.to_owned(),
        status: i64::from(status.as_u16()),
        detail: Some(detail.into()),
        code: code.to_owned(),
        request_id: None,
        errors: None,
        instance: None,
    }
}

/// Converts a failure to a problem.
pub fn problem(failure: Failure) -> Problem {
    match failure {
        Failure::Rejected(rejection) => rejected(rejection),
        Failure::Store(error) => {
            tracing::error!(%error, "the database failed");
            let detail = "the service cannot write at the moment; try again";
            new(StatusCode::SERVICE_UNAVAILABLE, "E1503", detail)
        }
    }
}

/// Converts a problem to a response.
pub(crate) fn respond(problem: &Problem) -> Response {
    let status = u16::try_from(problem.status).ok();
    let status = status.and_then(|status| StatusCode::from_u16(status).ok());
    let body = serde_json::to_string(problem).unwrap_or_default();
    let mut response = (status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
    if response.status() == StatusCode::UNAUTHORIZED {
        let schemes = HeaderValue::from_static(SCHEMES);
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, schemes);
    }
    response
}

fn rejected(rejection: Rejection) -> Problem {
    let (code, status) = rejection.code.row();
    let detail = rejection.detail.clone();
    let places: Vec<_> = places(rejection).collect();
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    Problem {
        errors: (!places.is_empty()).then_some(places),
        ..new(status, code, detail)
    }
}

/// The places of a rejection and of those collected with it.
fn places(mut rejection: Rejection) -> impl Iterator<Item = ProblemPlace> {
    let also = std::mem::take(&mut rejection.also);
    let all = std::iter::once(rejection).chain(also);
    all.filter_map(|one| {
        Some(ProblemPlace {
            pointer: one.pointer?,
            code: one.code.row().0.to_owned(),
            detail: Some(one.detail),
        })
    })
}

/// The default code and sentence of a status.
pub(super) fn fallback(status: StatusCode) -> (&'static str, &'static str) {
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
        503 => (
            "E1503",
            "the service cannot answer at the moment; try again",
        ),
        _ => ("E1500", "the service failed"),
    }
}
