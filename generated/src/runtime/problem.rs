//! A problem in the sense of RFC 9457.

use serde::{Deserialize, Serialize};

use super::constraint::Violation;
use super::json::Unreadable;

/// The media type of a problem.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A problem that the server stubs answer with, before or instead of the implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A URI that names the kind of problem.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind of problem in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// This occurrence in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The path of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// A code for programs to act on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What exactly is wrong with the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Fault>,
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Where, as a JSON pointer into the body; for parameters `/query/…`, `/path/…`,
    /// `/header/…` or `/cookie/…`.
    pub pointer: String,
    /// The broken keyword of the schema, such as `type`, `required` or `maxLength`.
    pub code: String,
    /// What was expected.
    pub detail: String,
}

impl Problem {
    /// A problem without details.
    pub fn new(status: u16, title: &str) -> Self {
        Self {
            kind: "about:blank".to_owned(),
            title: title.to_owned(),
            status,
            detail: None,
            instance: None,
            code: None,
            request_id: None,
            errors: Vec::new(),
        }
    }

    /// The same problem, described.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

impl From<Violation> for Fault {
    fn from(violation: Violation) -> Self {
        let code = violation.keyword.to_owned();
        Self {
            pointer: violation.pointer,
            code,
            detail: violation.detail,
        }
    }
}

impl From<Unreadable> for Fault {
    fn from(error: Unreadable) -> Self {
        let code = match error.message.as_str() {
            missing if missing.starts_with("missing field") => "required",
            unknown if unknown.starts_with("unknown field") => "additionalProperties",
            variant if variant.starts_with("unknown variant") => "enum",
            _ => "type",
        };
        Self {
            pointer: error.pointer,
            code: code.to_owned(),
            detail: error.message,
        }
    }
}
