//! The body of an answer as it arrives.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http_body::Body;
use tokio::time::Sleep;

use super::super::byte_stream::{self, ByteStream};
use super::error::Cause;

/// The body of an answer, none of whose pieces may take longer to come than one has patience.
pub(super) fn body(response: reqwest::Response, patience: Duration) -> ByteStream {
    let size = response.content_length();
    let body = ByteStream::new(Arrival {
        body: reqwest::Body::from(response),
        patience,
        timer: None,
    });
    match size {
        Some(size) => body.with_size(size),
        None => body,
    }
}

/// The pieces of a body.
struct Arrival {
    body: reqwest::Body,
    patience: Duration,
    /// Runs while a piece is waited for, and not while the last one is made use of.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Stream for Arrival {
    type Item = Result<Bytes, byte_stream::Cause>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(task) else {
                let patience = self.patience;
                let timer = self
                    .timer
                    .get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
                return match timer.as_mut().poll(task) {
                    Poll::Ready(()) => Poll::Ready(Some(Err(Cause::Silence(patience).into()))),
                    Poll::Pending => Poll::Pending,
                };
            };
            self.timer = None;
            match frame.map(|frame| frame.map(http_body::Frame::into_data)) {
                None => return Poll::Ready(None),
                Some(Ok(Ok(data))) => return Poll::Ready(Some(Ok(data))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error.without_url().into()))),
                // Trailers; they mean nothing to anybody here.
                Some(Ok(Err(_))) => {}
            }
        }
    }
}
