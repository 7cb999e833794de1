//! What is in a file.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use super::super::byte_stream::{ByteStream, StreamError};

/// What is in a file: bytes, or a stream of which one piece at a time is in memory.
///
/// Copies of a stream are the same stream, which can be opened once.
#[derive(Clone)]
pub struct Content(Kind);

#[derive(Clone)]
enum Kind {
    Whole(Bytes),
    Stream(Arc<Mutex<Option<ByteStream>>>, Option<u64>),
}

impl Content {
    /// The bytes, unless they are a stream.
    pub fn whole(&self) -> Option<&Bytes> {
        match &self.0 {
            Kind::Whole(bytes) => Some(bytes),
            Kind::Stream(..) => None,
        }
    }

    /// How many bytes there are, if that is known before they are read.
    pub fn size(&self) -> Option<u64> {
        match &self.0 {
            Kind::Whole(bytes) => u64::try_from(bytes.len()).ok(),
            Kind::Stream(_, size) => *size,
        }
    }

    /// The bytes as a stream; one that breaks off at once where they were taken before.
    pub fn open(&self) -> ByteStream {
        let stream = match &self.0 {
            Kind::Whole(bytes) => return bytes.clone().into(),
            Kind::Stream(stream, _) => stream,
        };
        let stream = stream.lock().unwrap_or_else(PoisonError::into_inner).take();
        stream.unwrap_or_else(|| ByteStream::broken("the content of the file was taken before"))
    }

    /// All of the bytes, of which there may be up to `limit`.
    pub async fn collect(&self, limit: usize) -> Result<Bytes, StreamError> {
        self.open().collect(limit).await
    }
}

impl From<ByteStream> for Content {
    fn from(stream: ByteStream) -> Self {
        match stream.into_whole() {
            Ok(bytes) => Self(Kind::Whole(bytes)),
            Err(stream) => {
                let size = stream.size();
                Self(Kind::Stream(Arc::new(Mutex::new(Some(stream))), size))
            }
        }
    }
}

impl<T: Into<Bytes>> From<T> for Content {
    fn from(bytes: T) -> Self {
        Self(Kind::Whole(bytes.into()))
    }
}

impl Default for Content {
    fn default() -> Self {
        Bytes::new().into()
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Kind::Whole(own), Kind::Whole(other)) => own == other,
            (Kind::Stream(own, _), Kind::Stream(other, _)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for Content {}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size() {
            Some(size) => write!(f, "[{size} bytes]"),
            None => f.write_str("[..]"),
        }
    }
}
