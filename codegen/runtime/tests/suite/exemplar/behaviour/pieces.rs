//! Bodies in pieces, and how many of them there are at a time.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;

/// The size of a large body.
pub const LARGE: i64 = 256 << 20;
const PIECE: i64 = 64 << 10;

/// What came through, and what was underway at most.
pub struct Meter {
    given: AtomicI64,
    taken: AtomicI64,
    most: AtomicI64,
}

pub static UPLOADED: Meter = Meter::new();
pub static DOWNLOADED: Meter = Meter::new();

impl Meter {
    const fn new() -> Self {
        Self {
            given: AtomicI64::new(0),
            taken: AtomicI64::new(0),
            most: AtomicI64::new(0),
        }
    }

    /// The bytes that were given and not taken yet, when there were most of them.
    pub fn most(&self) -> i64 {
        self.most.load(Ordering::SeqCst)
    }

    fn give(&self, size: i64) {
        let given = self.given.fetch_add(size, Ordering::SeqCst) + size;
        let underway = given - self.taken.load(Ordering::SeqCst);
        self.most.fetch_max(underway, Ordering::SeqCst);
    }

    /// Counts a piece that has come through; gives its size.
    pub fn take(&self, piece: &Bytes) -> i64 {
        let size = i64::try_from(piece.len()).unwrap();
        self.taken.fetch_add(size, Ordering::SeqCst);
        size
    }
}

/// A body of [`LARGE`] bytes, each of which says which piece it is from.
pub struct Large {
    meter: &'static Meter,
    at: i64,
}

pub fn large(meter: &'static Meter) -> Large {
    Large { meter, at: 0 }
}

/// The byte at a place of a large body.
pub fn expected(at: i64) -> u8 {
    u8::try_from(at / PIECE % 251).unwrap()
}

impl Stream for Large {
    type Item = Result<Bytes, io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.at >= LARGE {
            return Poll::Ready(None);
        }
        let piece = vec![expected(self.at); usize::try_from(PIECE).unwrap()];
        self.meter.give(PIECE);
        self.at += PIECE;
        Poll::Ready(Some(Ok(piece.into())))
    }
}

/// A stream of the given items, each of which goes out before the next one is there.
pub struct Few<T> {
    items: VecDeque<Result<T, io::Error>>,
    is_next: bool,
}

pub fn few<T>(items: impl IntoIterator<Item = Result<T, io::Error>>) -> Few<T> {
    Few {
        items: items.into_iter().collect(),
        is_next: false,
    }
}

pub fn of(pieces: &[&str]) -> Few<Bytes> {
    let owned = |piece: &&str| Ok(Bytes::from((*piece).to_owned()));
    few(pieces.iter().map(owned))
}

/// A body that breaks off.
pub fn broken() -> Few<Bytes> {
    let error = io::Error::other("the disk is gone");
    few([Ok("12345".into()), Err(error)])
}

impl<T: Unpin> Stream for Few<T> {
    type Item = Result<T, io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.is_next = !self.is_next;
        if self.is_next {
            return Poll::Ready(self.items.pop_front());
        }
        task.waker().wake_by_ref();
        Poll::Pending
    }
}
