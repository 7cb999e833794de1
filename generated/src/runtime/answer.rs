//! An HTTP answer with its whole body.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, StatusCode, header};
use serde::de::DeserializeOwned;

use super::event::{Event, ReadEvent};
use super::event_parser::EventParser;
use super::json::{self, Unreadable};
use super::media_type;
use super::parameter;

/// Status, headers and body of an answer. `Debug` shows neither header values nor the body.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, unchanged.
    pub body: Bytes,
}

impl Answer {
    /// Reads the documented headers into a struct.
    #[doc(hidden)]
    pub fn read_headers<H: DeserializeOwned>(&self) -> Result<H, Unreadable> {
        parameter::read_headers(&self.headers)
    }

    /// Reads the body as JSON.
    pub fn read_json<T: DeserializeOwned>(&self) -> Result<T, Unreadable> {
        json::read(&self.body)
    }

    /// Reads the body as text.
    pub fn read_text(&self) -> Result<String, Unreadable> {
        String::from_utf8(self.body.to_vec())
            .map_err(|_| Unreadable::malformed("the body is not UTF-8"))
    }

    /// Reads the body as server-sent events.
    #[doc(hidden)]
    pub fn read_events<T: ReadEvent>(&self) -> Result<Vec<Event<T>>, Unreadable> {
        let mut parser = EventParser::default();
        let mut events = Vec::new();
        parser
            .push(&self.body)
            .map_err(|_| Unreadable::malformed("an event is too large"))?;
        while let Some(event) = parser.pop() {
            events.push(event.read()?);
        }
        Ok(events)
    }

    /// Whether the body is of this media type. A range such as `image/*` matches any of its types.
    pub fn is(&self, media_type: &str) -> bool {
        let actual = self
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        actual.is_some_and(|actual| media_type::matches(actual, media_type))
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.keys().map(HeaderName::as_str).collect();
        f.debug_struct("Answer")
            .field("status", &self.status.as_u16())
            .field("headers", &names)
            .field("body", &format_args!("[{} bytes]", self.body.len()))
            .finish()
    }
}
