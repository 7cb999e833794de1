//! Reads multipart bodies and passes on each file as a stream.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use http::header;

use super::super::byte_stream::{ByteStream, StreamError};
use super::super::json::Unreadable;
use super::super::multipart::splitter::{self, Splitter, Step};
use super::super::multipart::{Content, Parts};
use super::super::operation::Operation;
use super::eventually::Eventually;
use super::faults;
use super::refusal::Refusal;

/// A file of a multipart body, as a stream.
#[derive(Debug)]
pub struct Upload {
    /// The operation that is called.
    pub operation: &'static Operation,
    /// The name of the part.
    pub part: String,
    /// The name of the file.
    pub name: String,
    /// Its media type, if the part has one.
    pub media_type: Option<String>,
    /// The content. It is available until the future of [`super::Routes::files`] ends.
    pub content: ByteStream,
}

pub(super) type Keep = Arc<dyn Fn(Upload) -> Eventually<Result<Content, Refusal>> + Send + Sync>;

/// A multipart body that is not yet read.
pub(super) struct Uploads {
    body: ByteStream,
    keep: Keep,
    limit: usize,
}

impl Uploads {
    pub(super) fn new(body: ByteStream, keep: &Keep, limit: usize) -> Self {
        let keep = Arc::clone(keep);
        Self { body, keep, limit }
    }

    /// Reads the parts. The limit applies to the parts in memory, and to bytes that `keep` left
    /// unread.
    pub(super) async fn read(self, context: &super::Context) -> Result<Parts, Refusal> {
        let content_type = context.header(header::CONTENT_TYPE.as_str());
        let splitter = Splitter::new(content_type.unwrap_or_default());
        let source = Arc::new(Mutex::new(Source {
            body: self.body,
            splitter: splitter.map_err(unreadable)?,
            part: 0,
            in_part: false,
        }));
        let (mut parts, mut held) = (Vec::new(), 0);
        loop {
            let mut part = match poll_fn(|task| lock(&source).poll_step(task)).await? {
                Step::Part(part) => part,
                Step::Done => return Ok(parts.into()),
                Step::Piece(left_over) => {
                    held += left_over.len();
                    if held > self.limit {
                        return Err(Refusal::too_large(self.limit));
                    }
                    continue;
                }
                Step::Wanting | Step::End => continue,
            };
            held += part.name.len();
            let content = ByteStream::new(Pieces {
                part: lock(&source).part,
                source: Arc::clone(&source),
            });
            let content = match part.file.name.clone() {
                Some(name) => {
                    let kept = (self.keep)(Upload {
                        operation: context.operation,
                        part: part.name.clone(),
                        name,
                        media_type: part.file.media_type.clone(),
                        content,
                    });
                    kept.await
                }
                None => match content.collect(self.limit.saturating_sub(held)).await {
                    Ok(whole) => {
                        held += whole.len();
                        Ok(whole.into())
                    }
                    Err(StreamError::TooLarge { .. }) => Err(Refusal::too_large(self.limit)),
                    Err(error) => Err(error.into()),
                },
            };
            part.file.content = content?;
            parts.push(part);
        }
    }
}

/// A body that is parsed while it is received.
struct Source {
    body: ByteStream,
    splitter: Splitter,
    /// The number of parts so far.
    part: usize,
    /// Whether the last part has not ended.
    in_part: bool,
}

impl Source {
    /// The next step that is not waiting.
    fn poll_step(&mut self, task: &mut Context<'_>) -> Poll<Result<Step, Refusal>> {
        loop {
            let step = self.splitter.step().map_err(unreadable)?;
            match step {
                Step::Wanting => {}
                Step::Part(_) => {
                    self.part += 1;
                    self.in_part = true;
                    return Poll::Ready(Ok(step));
                }
                _ => {
                    self.in_part &= !matches!(step, Step::End);
                    return Poll::Ready(Ok(step));
                }
            }
            match ready!(Pin::new(&mut self.body).poll_next(task)) {
                Some(piece) => self.splitter.push(&piece?),
                None => return Poll::Ready(Err(unreadable(splitter::broken()))),
            }
        }
    }
}

/// The content of one part.
struct Pieces {
    source: Arc<Mutex<Source>>,
    part: usize,
}

impl Stream for Pieces {
    type Item = Result<Bytes, String>;

    fn poll_next(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut source = lock(&self.source);
        if source.part != self.part {
            return Poll::Ready(Some(Err("the part was read past".to_owned())));
        }
        if !source.in_part {
            return Poll::Ready(None);
        }
        Poll::Ready(match ready!(source.poll_step(task)) {
            Ok(Step::Piece(piece)) => Some(Ok(piece)),
            Ok(_) => None,
            Err(refusal) => Some(Err(refusal.detail)),
        })
    }
}

fn lock(source: &Mutex<Source>) -> MutexGuard<'_, Source> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unreadable(error: Unreadable) -> Refusal {
    faults::refusal(error, Vec::new())
}
