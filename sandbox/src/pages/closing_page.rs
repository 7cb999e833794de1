//! The closing page, which shows how an action ended.

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use super::page;
use super::tone::Tone;
use crate::domain::Code;
use crate::service::Failure;

#[derive(Template)]
#[template(path = "ended.html")]
struct Ended<'a> {
    title: &'a str,
    detail: &'a str,
    tone: Tone,
}

/// A closing page with this status.
pub(super) fn ended(status: StatusCode, tone: Tone, title: &str, detail: &str) -> Response {
    let page = Ended {
        title,
        detail,
        tone,
    };
    let mut response = page::respond(&page, page::POLICY);
    *response.status_mut() = status;
    response
}

/// The page for a record that does not exist.
pub(super) fn nothing(detail: &str) -> Response {
    ended(StatusCode::NOT_FOUND, Tone::Bad, "Nothing here", detail)
}

/// The page for a failed command; shows `gone` when the record does not exist.
pub(super) fn failed(failure: &Failure, gone: &str) -> Response {
    match failure {
        Failure::Rejected(rejection) if rejection.code == Code::UnknownRecord => nothing(gone),
        Failure::Rejected(rejection) => {
            let status = StatusCode::from_u16(rejection.code.row().1);
            let status = status.unwrap_or(StatusCode::CONFLICT);
            ended(status, Tone::Bad, "Not possible", &rejection.detail)
        }
        Failure::Store(error) => {
            tracing::error!(%error, "the database failed");
            let detail = "The sandbox cannot write at the moment; try again.";
            ended(
                StatusCode::SERVICE_UNAVAILABLE,
                Tone::Wait,
                "Try again",
                detail,
            )
        }
    }
}
