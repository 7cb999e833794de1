//! Writes parts as a body.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::super::byte_stream::{ByteStream, StreamError};
use super::super::uuid::Uuid;
use super::{MEDIA_TYPE, Part};

/// Writes the parts. Returns the value of `Content-Type`, with the boundary, and the body. The body
/// is in memory when all files are, else a stream. Its size is known when the sizes of all files
/// are.
pub fn write(parts: &[Part]) -> (String, ByteStream) {
    let boundary = Uuid::random().to_string();
    let mut body = Body::default();
    for part in parts {
        body.text(&head(part, &boundary));
        match part.file.content.whole() {
            Some(bytes) => body.written.extend_from_slice(bytes),
            None => body.stream(part.file.content.open()),
        }
        body.text("\r\n");
    }
    body.text(&format!("--{boundary}--\r\n"));
    (
        format!("{MEDIA_TYPE}; boundary={boundary}"),
        body.into_stream(),
    )
}

fn head(part: &Part, boundary: &str) -> String {
    let mut head = vec![
        format!("--{boundary}\r\nContent-Disposition: form-data; name="),
        quoted(&part.name),
    ];
    if let Some(file_name) = &part.file.name {
        head.extend(["; filename=".to_owned(), quoted(file_name)]);
    }
    if let Some(media_type) = &part.file.media_type {
        let media_type = media_type.replace(['\r', '\n'], "");
        head.extend(["\r\nContent-Type: ".to_owned(), media_type]);
    }
    head.push("\r\n\r\n".to_owned());
    head.concat()
}

/// Quotes a name and escapes it as browsers do. Like browsers, it does not distinguish a `%22` in
/// the name from an escaped quotation mark.
fn quoted(text: &str) -> String {
    let text = text
        .replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    format!("\"{text}\"")
}

/// A body under construction: the text before each stream, and the text after the last one.
#[derive(Default)]
struct Body {
    before: VecDeque<ByteStream>,
    written: Vec<u8>,
}

impl Body {
    fn text(&mut self, text: &str) {
        self.written.extend_from_slice(text.as_bytes());
    }

    fn stream(&mut self, stream: ByteStream) {
        let written = std::mem::take(&mut self.written);
        self.before.extend([written.into(), stream]);
    }

    fn into_stream(mut self) -> ByteStream {
        if self.before.is_empty() {
            return self.written.into();
        }
        self.before.push_back(self.written.into());
        let size = self.before.iter().map(ByteStream::size).sum();
        let stream = ByteStream::new(InTurn(self.before));
        match size {
            Some(size) => stream.with_size(size),
            None => stream,
        }
    }
}

/// Streams one after another.
struct InTurn(VecDeque<ByteStream>);

impl Stream for InTurn {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        while let Some(first) = self.0.front_mut() {
            if let Some(piece) = ready!(Pin::new(first).poll_next(task)) {
                return Poll::Ready(Some(piece));
            }
            self.0.pop_front();
        }
        Poll::Ready(None)
    }
}
