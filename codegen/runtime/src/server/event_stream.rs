//! Server-sent events as they are sent.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::Sleep;

use super::super::byte_stream::{ByteStream, Cause};
use super::super::event::{Event, WriteEvent};
use super::super::json::Unreadable;

/// How long nothing may be sent, so that nobody on the way takes the connection for dead.
const QUIET: Duration = Duration::from_secs(15);

/// What keeps a connection alive: a line that means nothing.
const COMMENT: &[u8] = b":\n\n";

/// Server-sent events as they are sent, with data of the documented type.
pub struct EventStream<T> {
    texts: Pin<Box<dyn Stream<Item = Result<Bytes, Cause>> + Send>>,
    quiet: Duration,
    events: PhantomData<fn(T)>,
}

/// Sends the events of an [`EventStream`]. The stream ends when all of its senders are dropped.
pub struct EventSender<T> {
    texts: Sender<Bytes>,
    events: PhantomData<fn(T)>,
}

/// Why an event was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendError {
    /// The client is gone.
    Closed,
    /// The event has no text.
    Event(Unreadable),
}

impl<T: WriteEvent> EventStream<T> {
    /// Events from a stream of them; where that gives an error, the connection breaks off.
    pub fn new<S, E>(events: S) -> Self
    where
        S: Stream<Item = Result<Event<T>, E>> + Send + 'static,
        E: Into<Cause>,
    {
        Self::of(Texts(Box::pin(events)))
    }

    /// Events that are sent from elsewhere. So many may be underway before a sender has to wait; at
    /// least one.
    pub fn channel(capacity: usize) -> (EventSender<T>, Self) {
        let (sender, receiver) = mpsc::channel(capacity.max(1));
        let sender = EventSender {
            texts: sender,
            events: PhantomData,
        };
        (sender, Self::of(Received(receiver)))
    }

    fn of(texts: impl Stream<Item = Result<Bytes, Cause>> + Send + 'static) -> Self {
        Self {
            texts: Box::pin(texts),
            quiet: QUIET,
            events: PhantomData,
        }
    }

    /// Sends a comment when there was nothing to send for so long; 15 seconds unless said otherwise.
    #[must_use]
    pub fn keep_alive(mut self, quiet: Duration) -> Self {
        self.quiet = quiet;
        self
    }
}

impl<T> From<EventStream<T>> for ByteStream {
    fn from(events: EventStream<T>) -> Self {
        Self::new(Alive {
            texts: events.texts,
            quiet: events.quiet,
            timer: None,
        })
    }
}

impl<T: WriteEvent> EventSender<T> {
    /// Sends an event, once there is room for it.
    ///
    /// # Errors
    /// The client is gone, or the event has no text.
    pub async fn send(&self, event: Event<T>) -> Result<(), SendError> {
        let text = event.text().map_err(SendError::Event)?;
        drop(event);
        let sent = self.texts.send(text.into()).await;
        sent.map_err(|_| SendError::Closed)
    }

    /// Waits until the client is gone.
    pub async fn closed(&self) {
        self.texts.closed().await;
    }
}

/// A stream of events as the texts of them.
struct Texts<S>(Pin<Box<S>>);

impl<S, T, E> Stream for Texts<S>
where
    S: Stream<Item = Result<Event<T>, E>>,
    T: WriteEvent,
    E: Into<Cause>,
{
    type Item = Result<Bytes, Cause>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let text = |event: Event<T>| Ok(event.text()?.into());
        let next = ready!(self.0.as_mut().poll_next(task));
        Poll::Ready(next.map(|event| event.map_err(Into::into).and_then(text)))
    }
}

/// The texts that come through a channel.
struct Received(Receiver<Bytes>);

impl Stream for Received {
    type Item = Result<Bytes, Cause>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(task).map(|text| text.map(Ok))
    }
}

/// The texts of events, with comments in between where there are none for long.
struct Alive {
    texts: Pin<Box<dyn Stream<Item = Result<Bytes, Cause>> + Send>>,
    quiet: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Stream for Alive {
    type Item = Result<Bytes, Cause>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Poll::Ready(next) = self.texts.as_mut().poll_next(task) {
            self.timer = None;
            return Poll::Ready(next);
        }
        let quiet = self.quiet;
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(quiet)));
        ready!(timer.as_mut().poll(task));
        self.timer = None;
        Poll::Ready(Some(Ok(Bytes::from_static(COMMENT))))
    }
}

impl<T> Clone for EventSender<T> {
    fn clone(&self) -> Self {
        Self {
            texts: self.texts.clone(),
            events: PhantomData,
        }
    }
}

impl<T> fmt::Debug for EventStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream")
            .field("quiet", &self.quiet)
            .finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for EventSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventSender").finish_non_exhaustive()
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("the client is gone"),
            Self::Event(error) => write!(f, "the event cannot be sent: {error}"),
        }
    }
}

impl std::error::Error for SendError {}
