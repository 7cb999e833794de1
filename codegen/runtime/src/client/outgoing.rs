//! The body of a request.

use bytes::Bytes;

#[cfg(feature = "streams")]
use super::super::byte_stream::ByteStream;

/// The body of a request, whole or as a stream.
pub(super) enum Outgoing {
    Whole(Bytes),
    #[cfg(feature = "streams")]
    Stream(ByteStream),
}

impl Outgoing {
    /// Whether it is known to have no byte.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.is_empty(),
            #[cfg(feature = "streams")]
            Self::Stream(stream) => stream.size() == Some(0),
        }
    }

    /// A copy of the bytes; nothing where they are a stream.
    pub(super) fn whole(&self) -> Option<Bytes> {
        match self {
            Self::Whole(bytes) => Some(bytes.clone()),
            #[cfg(feature = "streams")]
            Self::Stream(_) => None,
        }
    }
}

impl Default for Outgoing {
    fn default() -> Self {
        Self::Whole(Bytes::new())
    }
}

impl From<Vec<u8>> for Outgoing {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Whole(bytes.into())
    }
}

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

impl From<Outgoing> for reqwest::Body {
    fn from(body: Outgoing) -> Self {
        match body {
            Outgoing::Whole(bytes) => bytes.into(),
            #[cfg(feature = "streams")]
            Outgoing::Stream(stream) => Self::wrap(stream),
        }
    }
}
