//! A typed answer.

use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use super::super::json::Unreadable;
use super::super::parameter;
use super::deviation::Deviation;

/// An answer whose body has been read.
#[derive(Clone, Debug)]
pub struct Response<T> {
    /// The status.
    pub status: StatusCode,
    /// All headers.
    pub headers: HeaderMap,
    /// The id the request was sent with, for operations that declare one.
    pub request_id: Option<String>,
    /// The body.
    pub body: T,
    /// Where the answer breaks the contract, for a client that is lenient.
    pub deviations: Vec<Deviation>,
}

impl<T> Response<T> {
    /// The text of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The same answer with another body.
    pub fn map<U>(self, body: impl FnOnce(T) -> U) -> Response<U> {
        Response {
            status: self.status,
            headers: self.headers,
            request_id: self.request_id,
            body: body(self.body),
            deviations: self.deviations,
        }
    }

    /// Reads the documented headers into their struct.
    pub fn read_headers<H: DeserializeOwned>(&self) -> Result<H, Unreadable> {
        parameter::read_headers(&self.headers)
    }
}
