//! Closes connections that are idle, and connections whose request takes too long to arrive.
//!
//! So a client that vanished, or that never completes its request, does not hold a connection for
//! ever. A client that waits for its answer may wait as long as it takes.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::extract::connect_info::{ConnectInfo, Connected};
use axum::middleware::Next;
use axum::response::Response;
use axum::serve::{IncomingStream, Listener};
use http_body_util::BodyExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

use super::framing::Framing;
use super::refusal::Refusal;

/// A listener whose connections have a timeout.
#[derive(Debug)]
pub(super) struct Limited {
    listener: TcpListener,
    patience: Duration,
}

impl Limited {
    pub(super) const fn new(listener: TcpListener, patience: Duration) -> Self {
        Self { listener, patience }
    }
}

impl Listener for Limited {
    type Io = Connection<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (Connection::new(stream, self.patience), address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// The progress of a connection's request; each connection has one request at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress(Arc<AtomicU8>);

impl Progress {
    /// There is no request, or its head is incomplete.
    const NONE: u8 = 0;
    /// The body is still arriving.
    const ARRIVING: u8 = 1;
    /// The server has read all that it needs and prepares the answer.
    const ANSWERING: u8 = 2;

    fn set(&self, state: u8) {
        self.0.store(state, Ordering::Release);
    }

    fn is_idle(&self) -> bool {
        self.0.load(Ordering::Acquire) == Self::NONE
    }

    fn is_answering(&self) -> bool {
        self.0.load(Ordering::Acquire) == Self::ANSWERING
    }
}

impl Connected<IncomingStream<'_, Limited>> for Progress {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Self {
        stream.io().progress.clone()
    }
}

/// Marks the request as arrived when its body is dropped, read or not.
struct Arrival(Progress);

impl Drop for Arrival {
    fn drop(&mut self) {
        // No effect if the answer has already been sent.
        let (from, to) = (Progress::ARRIVING, Progress::ANSWERING);
        let _ = (self.0.0).compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// Reports the progress of a request to its connection.
pub(super) async fn watch(request: Request, next: Next) -> Response {
    let progress = request.extensions().get::<ConnectInfo<Progress>>();
    let Some(ConnectInfo(progress)) = progress.cloned() else {
        return next.run(request).await;
    };
    progress.set(Progress::ARRIVING);
    let arrival = Arrival(progress.clone());
    let request = request.map(|body| {
        if body.is_end_stream() {
            return body;
        }
        Body::new(body.map_frame(move |frame| {
            let _until_dropped = &arrival;
            frame
        }))
    });
    let response = next.run(request).await;
    progress.set(Progress::NONE);
    response
}

/// A stream whose reads fail after a timeout: when it was idle without an answer in preparation, or
/// when a request takes longer to arrive.
#[derive(Debug)]
pub(super) struct Connection<S> {
    stream: S,
    patience: Duration,
    progress: Progress,
    end: Pin<Box<Sleep>>,
    /// When the first byte of the present request arrived.
    begun: Option<Instant>,
    /// The position within its requests.
    framing: Framing,
    /// The refusal of a flawed request, after which the connection ends.
    refusal: Option<Refusal>,
}

impl<S> Connection<S> {
    fn new(stream: S, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            progress: Progress::default(),
            end: Box::pin(sleep(patience)),
            begun: None,
            framing: Framing::default(),
            refusal: None,
        }
    }

    /// Notes that a part of an answer was sent.
    fn answered(&mut self) {
        self.begun = None;
        self.restart();
    }

    /// Notes that bytes have arrived; returns whether the request is too late.
    fn is_late(&mut self) -> bool {
        self.restart();
        if self.progress.is_answering() {
            // The earlier request arrived in time; these bytes belong to the next one.
            self.begun = None;
        }
        let begun = *self.begun.get_or_insert_with(Instant::now);
        begun.elapsed() > self.patience
    }

    /// Follows the new bytes; passes nothing of a flawed request on.
    fn follow(&mut self, buffer: &mut ReadBuf<'_>, before: usize) {
        let Err(flaw) = self.framing.follow(&buffer.filled()[before..]) else {
            return;
        };
        buffer.set_filled(before);
        let refusal = if self.progress.is_idle() {
            Refusal::new(flaw)
        } else {
            Refusal::silent()
        };
        self.refusal = Some(refusal);
    }

    /// Restarts the timeout.
    fn restart(&mut self) {
        let end = Instant::now() + self.patience;
        self.end.as_mut().reset(end);
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        if self.refusal.is_none()
            && let Poll::Ready(read) = Pin::new(&mut self.stream).poll_read(context, buffer)
        {
            if self.is_late() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.follow(buffer, before);
            if self.refusal.is_none() {
                return Poll::Ready(read);
            }
        }
        let connection = &mut *self;
        if let Some(refusal) = &mut connection.refusal
            && let Poll::Ready(ended) = refusal.poll(&mut connection.stream, context)
        {
            return Poll::Ready(ended);
        }
        ready!(self.end.as_mut().poll(context));
        while self.progress.is_answering() {
            self.restart();
            ready!(self.end.as_mut().poll(context));
        }
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        self.answered();
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, slices));
        self.answered();
        Poll::Ready(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
