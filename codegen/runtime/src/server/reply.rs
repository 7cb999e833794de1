//! What a request is answered with.

use std::fmt;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, header};
use serde::Serialize;

use super::super::answer::Answer;
use super::super::byte_stream::ByteStream;
use super::super::event;
use super::event_stream::EventStream;

/// What a request is answered with: an answer, the body of which may be a stream.
pub struct Reply {
    head: Answer,
    stream: Option<ByteStream>,
}

impl Reply {
    /// An answer with a stream for a body. Where that breaks off, so does the connection, and the
    /// client learns of it.
    pub fn stream(status: u16, media_type: &'static str, body: ByteStream) -> Self {
        Self {
            head: Answer::bytes(status, media_type, Bytes::new()),
            stream: Some(body),
        }
    }

    /// An answer with server-sent events, which nobody on the way may keep for another time.
    pub fn events<T>(status: u16, events: EventStream<T>) -> Self {
        let reply = Self::stream(status, event::MEDIA_TYPE, events.into());
        let head = reply
            .head
            .header(header::CACHE_CONTROL.as_str(), "no-cache");
        Self { head, ..reply }
    }

    /// The same answer with the documented headers that a struct holds.
    #[must_use]
    pub fn with_headers<H: Serialize>(self, headers: &H) -> Self {
        let head = self.head.with_headers(headers);
        Self { head, ..self }
    }

    pub(super) fn into_response(self, request_id: Option<(&HeaderName, HeaderValue)>) -> Response {
        let body = match self.stream {
            Some(stream) => Body::new(stream),
            None => Body::from(self.head.body),
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.head.status;
        *response.headers_mut() = self.head.headers;
        if let Some((name, id)) = request_id {
            response.headers_mut().entry(name).or_insert(id);
        }
        response
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self {
            head: answer,
            stream: None,
        }
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("head", &self.head)
            .field("stream", &self.stream)
            .finish()
    }
}
