//! The body of an answer, before it is read.

use std::fmt;
use std::time::Duration;

use super::super::byte_stream::ByteStream;
use super::again::Again;
use super::arrival;
use super::events::Events;

/// The body of an answer, before it is read.
pub struct Incoming {
    body: ByteStream,
    again: Option<Box<Again>>,
}

impl Incoming {
    pub(super) fn new(
        response: reqwest::Response,
        patience: Duration,
        again: Option<Box<Again>>,
    ) -> Self {
        let body = arrival::body(response, patience);
        Self { body, again }
    }

    /// As a stream of bytes.
    pub fn bytes(self) -> ByteStream {
        self.body
    }

    /// As server-sent events.
    pub fn events<T>(self) -> Events<T> {
        Events::new(self.body, self.again)
    }
}

impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.body.fmt(f)
    }
}
