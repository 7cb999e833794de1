//! Bodies that are sent or received in pieces.

use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;

/// Any error of the source of a stream.
pub type Cause = Box<dyn Error + Send + Sync>;

/// A body of bytes, whole or as a stream of which one piece at a time is in memory.
///
/// `into` converts bytes or text to a body, [`ByteStream::new`] any stream of bytes. Read it piece
/// by piece with [`ByteStream::next`], or as a whole with [`ByteStream::collect`]. An incomplete
/// body always ends with an error.
pub struct ByteStream {
    content: Content,
    size: Option<u64>,
    passed: u64,
}

enum Content {
    Whole(Bytes),
    /// Never locked: the `Mutex` only makes the stream `Sync`. A reader has `&mut` access.
    Pieces(Mutex<Pieces>),
    Ended,
}

type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, Cause>> + Send>>;

/// Why a stream of bytes ended with an error.
#[derive(Debug)]
pub enum StreamError {
    /// The stream ended before all the bytes that its size announced.
    Short {
        /// The number of bytes received.
        received: u64,
        /// The number of bytes announced.
        announced: u64,
    },
    /// The stream has more bytes than its size announced.
    Long {
        /// The number of bytes announced.
        announced: u64,
    },
    /// The source of the stream failed.
    Broken {
        /// The number of bytes received before the failure.
        received: u64,
        /// The error of the source.
        source: Cause,
    },
    /// The stream has more bytes than its receiver accepts.
    TooLarge {
        /// The number of bytes that its receiver accepts.
        limit: usize,
    },
}

impl ByteStream {
    /// A body from a stream of pieces. An error of the stream ends the body.
    pub fn new<S, E>(pieces: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<Cause>,
    {
        let pieces: Pieces = Box::pin(Caused(Box::pin(pieces)));
        Self {
            content: Content::Pieces(Mutex::new(pieces)),
            size: None,
            passed: 0,
        }
    }

    /// A body that fails at the first read.
    pub(super) fn broken(reason: &'static str) -> Self {
        Self::new(Reason(Some(reason)))
    }

    /// Sets the number of bytes that the body has, which is sent as `Content-Length`. Without it, a
    /// stream is sent in chunks. Fewer or more bytes are an error.
    #[must_use]
    pub fn with_size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// The number of bytes of the body; `None` when it is not known before the body is read.
    pub fn size(&self) -> Option<u64> {
        match &self.content {
            Content::Whole(bytes) => self.size.or(u64::try_from(bytes.len()).ok()),
            Content::Pieces(_) | Content::Ended => self.size,
        }
    }

    /// The next piece; `None` after the last one, or after an error.
    pub async fn next(&mut self) -> Option<Result<Bytes, StreamError>> {
        poll_fn(|task| Pin::new(&mut *self).poll_next(task)).await
    }

    /// The whole body, which may have up to `limit` bytes.
    pub async fn collect(mut self, limit: usize) -> Result<Bytes, StreamError> {
        let mut whole = BytesMut::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            if whole.len().saturating_add(piece.len()) > limit {
                return Err(StreamError::TooLarge { limit });
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole.freeze())
    }

    /// The number of bytes that are still to be read; `None` when it is unknown.
    #[cfg(any(feature = "client", feature = "server"))]
    fn rest(&self) -> Option<u64> {
        Some(self.size()?.saturating_sub(self.passed))
    }

    /// The body, if it is whole in memory.
    pub(super) fn into_whole(self) -> Result<Bytes, Self> {
        match self.content {
            Content::Whole(bytes) if self.size.is_none() => Ok(bytes),
            content => Err(Self { content, ..self }),
        }
    }

    /// Counts the bytes of a piece, and compares the total with the size at the end.
    fn judge(&mut self, next: Option<Result<Bytes, Cause>>) -> Option<Result<Bytes, StreamError>> {
        let received = self.passed;
        Some(match (next, self.size) {
            (Some(Err(source)), _) => Err(StreamError::Broken { received, source }),
            (Some(Ok(piece)), size) => {
                self.passed = received.saturating_add(piece.len() as u64);
                match size.filter(|announced| self.passed > *announced) {
                    Some(announced) => Err(StreamError::Long { announced }),
                    None => Ok(piece),
                }
            }
            (None, Some(announced)) if received < announced => Err(StreamError::Short {
                received,
                announced,
            }),
            (None, _) => return None,
        })
    }
}

impl Stream for ByteStream {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = match &mut self.content {
            Content::Ended => return Poll::Ready(None),
            Content::Whole(bytes) if bytes.is_empty() => None,
            Content::Whole(bytes) => {
                let size = u64::try_from(bytes.len()).ok();
                let whole = std::mem::take(bytes);
                self.size = self.size.or(size);
                Some(Ok(whole))
            }
            Content::Pieces(pieces) => {
                let pieces = pieces.get_mut().unwrap_or_else(PoisonError::into_inner);
                ready!(pieces.as_mut().poll_next(task))
            }
        };
        let item = self.judge(next);
        if !matches!(item, Some(Ok(_))) {
            self.content = Content::Ended;
        }
        Poll::Ready(item)
    }
}

#[cfg(any(feature = "client", feature = "server"))]
impl http_body::Body for ByteStream {
    type Data = Bytes;
    type Error = StreamError;

    fn poll_frame(
        self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, StreamError>>> {
        let next = ready!(self.poll_next(task));
        Poll::Ready(next.map(|piece| piece.map(http_body::Frame::data)))
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.rest().map_or_else(
            http_body::SizeHint::default,
            http_body::SizeHint::with_exact,
        )
    }
}

/// A stream with boxed errors.
struct Caused<S>(Pin<Box<S>>);

impl<S, E> Stream for Caused<S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Into<Cause>,
{
    type Item = Result<Bytes, Cause>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(self.0.as_mut().poll_next(task));
        Poll::Ready(next.map(|piece| piece.map_err(Into::into)))
    }
}

/// A stream that yields one error.
struct Reason(Option<&'static str>);

impl Stream for Reason {
    type Item = Result<Bytes, &'static str>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.take().map(Err))
    }
}

impl Default for ByteStream {
    fn default() -> Self {
        Bytes::new().into()
    }
}

impl From<Bytes> for ByteStream {
    fn from(bytes: Bytes) -> Self {
        Self {
            content: Content::Whole(bytes),
            size: None,
            passed: 0,
        }
    }
}

/// What becomes bytes becomes a body.
macro_rules! whole {
    ($($ty:ty),* $(,)?) => {
        $(
            impl From<$ty> for ByteStream {
                fn from(whole: $ty) -> Self {
                    Bytes::from(whole).into()
                }
            }
        )*
    };
}

whole!(Vec<u8>, String, &'static str, &'static [u8]);

impl fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size() {
            Some(size) => write!(f, "ByteStream[{size} bytes]"),
            None => f.write_str("ByteStream[..]"),
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short {
                received,
                announced,
            } => write!(f, "the body ended after {received} of {announced} bytes"),
            Self::Long { announced } => write!(f, "the body has more than {announced} bytes"),
            Self::Broken { received, source } => {
                write!(f, "the body broke off after {received} bytes: {source}")?;
                let mut cause = source.source();
                while let Some(inner) = cause {
                    write!(f, ": {inner}")?;
                    cause = inner.source();
                }
                Ok(())
            }
            Self::TooLarge { limit } => write!(f, "the body has more than {limit} bytes"),
        }
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Broken { source, .. } => Some(source.as_ref()),
            Self::Short { .. } | Self::Long { .. } | Self::TooLarge { .. } => None,
        }
    }
}
