//! Answers a request that is refused before it is read, and ends its connection.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use uuid::Uuid;

use super::framing::Flaw;
use super::problem;

/// The most bytes that are read and discarded, so that the client can read the answer.
const MOST_FORGOTTEN: usize = 1 << 20;

/// The state of a refusal.
#[derive(Debug)]
pub(super) struct Refusal {
    answer: Vec<u8>,
    sent: usize,
    is_closed: bool,
    forgotten: usize,
}

impl Refusal {
    /// Refuses a request with this flaw.
    pub(super) fn new(flaw: Flaw) -> Self {
        let (code, _) = problem::fallback(flaw.status);
        let id = Uuid::new_v4().hyphenated().to_string();
        tracing::info!(request_id = %id, status = flaw.status.as_u16(), flaw.detail, "refused unread");
        let mut problem = problem::new(flaw.status, code, flaw.detail);
        let head = format!("HTTP/1.1 {} {}", problem.status, problem.title);
        problem.request_id = Some(id.clone());
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let (kind, length) = (problem::PROBLEM, body.len());
        let answer = format!(
            "{head}\r\ncontent-type: {kind}\r\nrequest-id: {id}\r\ncontent-length: {length}\r\n\
             connection: close\r\n\r\n{body}"
        );
        Self {
            answer: answer.into_bytes(),
            sent: 0,
            is_closed: false,
            forgotten: 0,
        }
    }

    /// Ends a connection without an answer, because the answer to an earlier request is in flight.
    pub(super) const fn silent() -> Self {
        Self {
            answer: Vec::new(),
            sent: 0,
            is_closed: true,
            forgotten: MOST_FORGOTTEN,
        }
    }

    /// Sends the answer and waits until the client closes the connection.
    pub(super) fn poll<S: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        while self.sent < self.answer.len() {
            let rest = &self.answer[self.sent..];
            match ready!(Pin::new(&mut *stream).poll_write(context, rest))? {
                0 => return Poll::Ready(Ok(())),
                sent => self.sent += sent,
            }
        }
        if !self.is_closed {
            ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
            self.is_closed = true;
        }
        let mut space = [0; 4096];
        while self.forgotten < MOST_FORGOTTEN {
            let mut buffer = ReadBuf::new(&mut space);
            ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer))?;
            match buffer.filled().len() {
                0 => return Poll::Ready(Ok(())),
                read => self.forgotten += read,
            }
        }
        Poll::Ready(Ok(()))
    }
}
