//! Errors as RFC 9457 has them.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};

use crate::domain::{Code, Rejection};
use crate::service::Failure;

/// The media type of a problem.
const MEDIA_TYPE: &str = "application/problem+json";

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Always `about:blank`: the code says more.
    pub r#type: String,
    /// The HTTP status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// This occurrence in words.
    pub detail: String,
    /// What went wrong, for programs.
    pub code: String,
    /// The id of the exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The places in the request that are wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Place>,
}

/// One place that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// A JSON pointer into the body.
    pub pointer: String,
    /// What went wrong there, for programs.
    pub code: String,
    /// What went wrong there, in words.
    pub detail: String,
}

impl Problem {
    /// A problem with a status, a code and a sentence.
    pub fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        Self {
            r#type: "about:blank".to_owned(),
            title: title(status).to_owned(),
            status,
            detail: detail.into(),
            code: code.to_owned(),
            request_id: None,
            errors: Vec::new(),
        }
    }
}

impl From<Rejection> for Problem {
    fn from(rejection: Rejection) -> Self {
        let (code, status) = rejection.code.row();
        let errors = rejection
            .pointer
            .map(|pointer| Place {
                pointer,
                code: code.to_owned(),
                detail: rejection.detail.clone(),
            })
            .into_iter()
            .collect();
        Self {
            errors,
            ..Self::new(status, code, rejection.detail)
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Rejected(rejection) => rejection.into(),
            Failure::Store(error) => {
                tracing::error!(%error, "the database failed");
                Self::new(
                    503,
                    "E1503",
                    "the service cannot write at the moment; try again",
                )
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_string(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        if self.code == Code::Credentials.row().0 {
            let schemes = r#"Basic realm="merchant-payments", charset="UTF-8""#;
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(schemes));
        }
        response
    }
}

/// The words of RFC 9110 for a status.
fn title(status: u16) -> &'static str {
    match status {
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        other => StatusCode::from_u16(other)
            .ok()
            .and_then(|status| status.canonical_reason())
            .unwrap_or("Error"),
    }
}
