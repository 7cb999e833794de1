//! Answers that a server gives.

use std::fmt;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;

use super::super::answer::Answer;
use super::super::parameter;
use super::super::problem::{MEDIA_TYPE, Problem};

impl Answer {
    /// An answer without a body.
    pub fn empty(status: u16) -> Self {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self {
            status,
            ..Self::default()
        }
    }

    /// An answer with a body of the given media type.
    pub fn bytes(status: u16, media_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut answer = Self::empty(status);
        let media_type = Bytes::from_static(media_type.as_bytes());
        if let Ok(media_type) = HeaderValue::from_maybe_shared(media_type) {
            answer.headers.insert(header::CONTENT_TYPE, media_type);
        }
        answer.body = body.into();
        answer
    }

    /// An answer with a JSON body. A value that has no JSON form becomes a bare 500.
    pub fn json<T: Serialize>(status: u16, media_type: &'static str, body: &T) -> Self {
        match serde_json::to_vec(body) {
            Ok(text) => Self::bytes(status, media_type, text),
            Err(_) => Self::empty(500),
        }
    }

    /// The same answer with one more header. What no header can carry is left out.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl fmt::Display) -> Self {
        let value = HeaderValue::try_from(value.to_string());
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), value) {
            self.headers.append(name, value);
        }
        self
    }

    /// The same answer with the documented headers that a struct holds.
    #[must_use]
    pub fn with_headers<H: Serialize>(self, headers: &H) -> Self {
        let texts = parameter::header_texts(headers);
        texts
            .into_iter()
            .fold(self, |answer, (name, value)| answer.header(&name, value))
    }
}

impl From<Problem> for Answer {
    fn from(problem: Problem) -> Self {
        Self::json(problem.status, MEDIA_TYPE, &problem)
    }
}
