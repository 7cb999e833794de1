//! The body of a request.

use bytes::Bytes;

#[cfg(feature = "streams")]
use super::super::byte_stream::ByteStream;

/// The body of a request.
#[cfg(not(feature = "streams"))]
pub(super) type Outgoing = Bytes;

/// The body of a request, whole or as a stream.
#[cfg(feature = "streams")]
pub(super) enum Outgoing {
    Whole(Bytes),
    Stream(ByteStream),
}

#[cfg(feature = "streams")]
impl Outgoing {
    /// Whether it is known to have no byte.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.is_empty(),
            Self::Stream(stream) => stream.size() == Some(0),
        }
    }
}

#[cfg(feature = "streams")]
impl Default for Outgoing {
    fn default() -> Self {
        Self::Whole(Bytes::new())
    }
}

#[cfg(feature = "streams")]
impl From<Vec<u8>> for Outgoing {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Whole(bytes.into())
    }
}

#[cfg(feature = "streams")]
impl From<String> for Outgoing {
    fn from(text: String) -> Self {
        Self::Whole(text.into())
    }
}

#[cfg(feature = "streams")]
impl From<ByteStream> for Outgoing {
    fn from(body: ByteStream) -> Self {
        match body.into_whole() {
            Ok(bytes) => Self::Whole(bytes),
            Err(stream) => Self::Stream(stream),
        }
    }
}

#[cfg(feature = "streams")]
impl From<Outgoing> for reqwest::Body {
    fn from(body: Outgoing) -> Self {
        match body {
            Outgoing::Whole(bytes) => bytes.into(),
            Outgoing::Stream(stream) => Self::wrap(stream),
        }
    }
}

/// A copy of the bytes; nothing where they are a stream.
#[cfg(not(feature = "streams"))]
#[allow(clippy::unnecessary_wraps, reason = "a stream has none")]
pub(super) fn whole(body: &Outgoing) -> Option<Bytes> {
    Some(body.clone())
}

/// A copy of the bytes; nothing where they are a stream.
#[cfg(feature = "streams")]
pub(super) fn whole(body: &Outgoing) -> Option<Bytes> {
    match body {
        Outgoing::Whole(bytes) => Some(bytes.clone()),
        Outgoing::Stream(_) => None,
    }
}
