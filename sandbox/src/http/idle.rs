//! Connections on which nothing happens for too long are closed, and those whose request takes as long
//! to arrive: a client that has gone without a word, or that never ends its request, is not to hold one
//! for ever.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

/// Listens for connections of limited patience.
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

/// A stream whose reads fail when nothing was read or written for a while, or when that long has
/// gone by between the first byte of a request and the latest.
#[derive(Debug)]
pub(super) struct Connection<S> {
    stream: S,
    patience: Duration,
    end: Pin<Box<Sleep>>,
    /// When the first byte came of what is not answered yet.
    begun: Option<Instant>,
}

impl<S> Connection<S> {
    fn new(stream: S, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            end: Box::pin(sleep(patience)),
            begun: None,
        }
    }

    /// The request has arrived, and is answered.
    fn answering(&mut self) {
        self.begun = None;
        self.restart();
    }

    /// Something happened: the wait begins anew.
    fn restart(&mut self) {
        let end = Instant::now() + self.patience;
        self.end.as_mut().reset(end);
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Poll::Ready(read) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            self.restart();
            let begun = *self.begun.get_or_insert_with(Instant::now);
            if begun.elapsed() > self.patience {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            return Poll::Ready(read);
        }
        ready!(self.end.as_mut().poll(context));
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
        self.answering();
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, slices));
        self.answering();
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
