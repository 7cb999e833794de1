//! Reads a stream of server-sent events, and reconnects when it ends.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;

use super::super::answer::Answer;
use super::super::byte_stream::{ByteStream, StreamError};
use super::super::event::{self, Event, ReadEvent};
use super::super::event_parser::{EventParser, EventTooLarge};
use super::super::json::Unreadable;
use super::again::Again;
use super::error::{Cause, RequestError};

/// How long to wait before reconnecting, unless the server sets another time.
const PAUSE: Duration = Duration::from_secs(3);

/// A stream of server-sent events, with data of the documented type.
pub struct Events<T> {
    /// Events that are read but not yet returned.
    ready: VecDeque<Event<T>>,
    parser: EventParser,
    state: State,
    again: Option<Box<Again>>,
    /// The number of reconnections in a row: the limit, and how many are left.
    attempts: u32,
    left: u32,
    end: Option<String>,
}

enum State {
    Open(ByteStream),
    Waiting(Opening),
    Done,
}

type Opening = Pin<Box<dyn Future<Output = Result<(Answer, ByteStream), Cause>> + Send>>;

/// Why the next event cannot be returned.
#[derive(Debug)]
pub enum EventError {
    /// The stream failed; no more events follow.
    Stream(StreamError),
    /// Reconnecting failed; no more events follow.
    Connection(Cause),
    /// After reconnecting, the answer is not a stream of events; no more events follow.
    Refused(Box<Answer>),
    /// An event exceeds the size limit of the client; no more events follow.
    TooLarge,
    /// The data of an event does not have the documented type. Further events may follow.
    Data {
        /// The event as received.
        event: Box<Event<String>>,
        /// The reason, with a JSON pointer into the data.
        reason: Unreadable,
    },
}

impl<T> Events<T> {
    pub(super) fn new(body: ByteStream, again: Option<Box<Again>>) -> Self {
        Self {
            ready: VecDeque::new(),
            parser: EventParser::default(),
            state: State::Open(body),
            again,
            attempts: 0,
            left: 0,
            end: None,
        }
    }

    /// Reconnects when the connection ends, at most `attempts` times in a row without an event.
    /// Requests the events after the last one with an id (`Last-Event-ID`). The server ends the
    /// stream with the status 204.
    ///
    /// # Errors
    /// The operation is not a GET: only a GET may be repeated.
    pub fn reconnecting(mut self, attempts: u32) -> Result<Self, RequestError> {
        if self.again.is_none() {
            let message = "events are asked for again only where the operation is a GET";
            return Err(RequestError::new(message));
        }
        (self.attempts, self.left) = (attempts, attempts);
        Ok(self)
    }

    /// Ends the stream at an event with this text as its data.
    #[must_use]
    pub fn until(mut self, data: impl Into<String>) -> Self {
        self.end = Some(data.into());
        self
    }

    /// The id of the last event with an id.
    pub fn last_id(&self) -> Option<&str> {
        self.parser.last_id()
    }

    /// Handles a lost connection: reconnects, or ends the stream.
    fn lose(&mut self, error: Option<EventError>) -> Option<EventError> {
        self.parser.restart();
        match &self.again {
            Some(again) if self.left > 0 => {
                self.left -= 1;
                let pause = self.parser.retry().unwrap_or(PAUSE);
                self.state = State::Waiting(Box::pin(again.open(pause, self.parser.last_id())));
                None
            }
            _ => {
                self.state = State::Done;
                error
            }
        }
    }

    fn opened(&mut self, opened: Result<(Answer, ByteStream), Cause>) -> Option<EventError> {
        match opened {
            Ok((answer, body)) if answer.status == 200 && answer.is(event::MEDIA_TYPE) => {
                self.state = State::Open(body);
                None
            }
            Ok((answer, _)) => {
                self.state = State::Done;
                (answer.status != 204).then(|| EventError::Refused(Box::new(answer)))
            }
            Err(cause) => self.lose(Some(EventError::Connection(cause))),
        }
    }

    fn received(&mut self, piece: Option<Result<Bytes, StreamError>>) -> Option<EventError> {
        match piece.transpose() {
            Err(error) => self.lose(Some(EventError::Stream(error))),
            Ok(None) => self.lose(None),
            Ok(Some(text)) => {
                let EventTooLarge = self.parser.push(&text).err()?;
                self.state = State::Done;
                Some(EventError::TooLarge)
            }
        }
    }

    /// Polls for the next event, an error, or the end.
    fn poll_text(
        &mut self,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Event<String>, EventError>>> {
        loop {
            if let Some(event) = self.parser.pop() {
                self.left = self.attempts;
                if self.end.as_ref() == Some(&event.data) {
                    self.state = State::Done;
                    return Poll::Ready(None);
                }
                return Poll::Ready(Some(Ok(event)));
            }
            let failed = match &mut self.state {
                State::Done => return Poll::Ready(None),
                State::Waiting(opening) => {
                    let opened = ready!(opening.as_mut().poll(task));
                    self.opened(opened)
                }
                State::Open(body) => {
                    let piece = ready!(Pin::new(body).poll_next(task));
                    self.received(piece)
                }
            };
            if let Some(error) = failed {
                return Poll::Ready(Some(Err(error)));
            }
        }
    }
}

impl<T: ReadEvent + Unpin> Events<T> {
    /// The next event; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<Event<T>, EventError>> {
        poll_fn(|task| Pin::new(&mut *self).poll_next(task)).await
    }
}

impl<T: ReadEvent + Unpin> Stream for Events<T> {
    type Item = Result<Event<T>, EventError>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(event) = self.ready.pop_front() {
            return Poll::Ready(Some(Ok(event)));
        }
        let Some(next) = ready!(self.poll_text(task)) else {
            return Poll::Ready(None);
        };
        Poll::Ready(Some(next.and_then(|event| {
            let copy = event.clone();
            event.read().map_err(|reason| EventError::Data {
                event: Box::new(copy),
                reason,
            })
        })))
    }
}

/// Wraps events that are already read.
impl<T> From<Vec<Event<T>>> for Events<T> {
    fn from(events: Vec<Event<T>>) -> Self {
        Self {
            ready: events.into(),
            state: State::Done,
            ..Self::new(ByteStream::default(), None)
        }
    }
}

impl<T> fmt::Debug for Events<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events")
            .field("last_id", &self.last_id())
            .finish_non_exhaustive()
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stream(error) => write!(f, "the events broke off: {error}"),
            Self::Connection(cause) => write!(f, "the events broke off, and again: {cause}"),
            Self::Refused(answer) => {
                write!(
                    f,
                    "the events broke off; the server then answered {}",
                    answer.status
                )
            }
            Self::TooLarge => f.write_str("an event is too large"),
            Self::Data { reason, .. } => write!(f, "an event is not as documented: {reason}"),
        }
    }
}

impl std::error::Error for EventError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Stream(error) => Some(error),
            Self::Connection(cause) => Some(cause),
            Self::Data { reason, .. } => Some(reason),
            Self::Refused(_) | Self::TooLarge => None,
        }
    }
}
