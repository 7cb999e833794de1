//! Connection: HTTP/1.1 over a plain socket that later requests can reuse.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use super::listening::Listening;
use super::request::Outgoing;
use super::{MAX_BODY, chain};
use crate::exchange::{Answer, BodyFault};

/// How long to wait for a body where HTTP allows none.
const PATIENCE: Duration = Duration::from_millis(100);

/// The most bytes read of a body where HTTP allows none.
const MOST: usize = 256 * 1024;

/// A connection to the server.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    /// Whether a write found the socket's buffer full, so that the server may not have read the
    /// whole request.
    is_blocked: bool,
    /// Whether bytes of the answer arrived that the system may not have acknowledged.
    is_owing: bool,
    /// Whether the answer is still incomplete, so that received bytes must be acknowledged. The
    /// next request acknowledges the last bytes of an answer.
    is_more: Arc<AtomicBool>,
}

/// Why a request got no answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// No answer arrived in time.
    Timeout,
    /// The connection ended, or carried something that is not HTTP.
    Closed(String),
}

impl Connection {
    /// Opens a connection.
    ///
    /// # Errors
    /// The server does not accept the connection.
    pub(super) async fn open(to: &Outgoing, deadline: Instant) -> Result<Self, Fault> {
        let connect = TcpStream::connect((to.host.as_str(), to.port));
        let opened = timeout_at(deadline, connect).await;
        let opened = opened.map_err(|_| Fault::Timeout)?;
        let failed = |error: io::Error| Fault::Closed(format!("failed to connect: {error}"));
        opened.and_then(Self::over).map_err(failed)
    }

    /// Wraps an open socket.
    ///
    /// # Errors
    /// The socket is closed.
    pub(super) fn over(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            is_blocked: false,
            is_owing: false,
            is_more: Arc::default(),
        })
    }

    /// Whether the connection is open and no unread bytes have arrived. Asks the operating system,
    /// because the state in the runtime may be old.
    pub(super) fn is_silent(&self) -> bool {
        let mut byte = [MaybeUninit::uninit()];
        let peeked = SockRef::from(&self.stream).peek(&mut byte);
        peeked.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Sends a request and reads the whole answer. Returns the connection too when it can carry
    /// another request.
    pub(super) async fn exchange(
        mut self,
        request: Request<Full<Bytes>>,
        deadline: Instant,
    ) -> (Result<Answer, Fault>, Option<Self>) {
        let is_head = request.method() == Method::HEAD;
        let is_more = Arc::clone(&self.is_more);
        // The request itself acknowledges the answer before it.
        self.is_owing = false;
        let shaken = http1::handshake(TokioIo::new(self)).await;
        let (mut sender, mut connection) = match shaken {
            Ok(both) => both,
            Err(error) => return (Err(Fault::Closed(chain(&error))), None),
        };
        let (answer, is_kept) = {
            let mut work = pin!(send_and_read(&mut sender, request, deadline));
            let mut is_open = true;
            poll_fn(|context| {
                // Polls request and connection in turns, because each lets the other continue.
                if let Poll::Ready(done) = work.as_mut().poll(context) {
                    return Poll::Ready(done);
                }
                for again in [false, false, true] {
                    is_more.store(again, Ordering::Relaxed);
                    is_open = is_open && connection.poll_without_shutdown(context).is_pending();
                    if let Poll::Ready(done) = work.as_mut().poll(context) {
                        return Poll::Ready(done);
                    }
                }
                Poll::Pending
            })
            .await
        };
        let is_ready = sender.is_ready();
        let parts = connection.into_parts();
        let connection = parts.io.into_inner();
        match answer {
            Ok(mut answer) if is_head => {
                if answer.body.is_ok() {
                    answer.body = Ok(connection.rest(parts.read_buf.to_vec(), deadline).await);
                }
                (Ok(answer), None)
            }
            answer => {
                let is_kept =
                    is_kept && is_ready && parts.read_buf.is_empty() && !connection.is_blocked;
                (answer, is_kept.then_some(connection))
            }
        }
    }

    /// Acknowledges received bytes at once. Many servers send head and body separately, and the
    /// body only after the head is acknowledged; a reused connection delays that by 40 ms.
    fn acknowledge(&self) {
        #[cfg(any(target_os = "android", target_os = "linux"))]
        // If this fails, the next read fails too.
        let _ = self.stream.set_quickack(true);
    }

    /// Writes, and notes when the socket's buffer is full.
    fn written(
        mut self: Pin<&mut Self>,
        write: impl FnOnce(Pin<&mut TcpStream>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let written = write(Pin::new(&mut self.stream));
        self.is_blocked |= written.is_pending();
        written
    }

    /// Reads unexpected bytes after a head that must have no body, until the connection is silent.
    async fn rest(mut self, mut bytes: Vec<u8>, deadline: Instant) -> Vec<u8> {
        let until = deadline.min(Instant::now() + PATIENCE);
        while bytes.len() < MOST {
            match timeout_at(until, self.stream.read_buf(&mut bytes)).await {
                Ok(Ok(read)) if read > 0 => {}
                _ => break,
            }
        }
        bytes
    }
}

/// Sends a request and reads the answer. Returns also whether the answer is complete, so that the
/// connection can carry another request.
async fn send_and_read(
    sender: &mut SendRequest<Full<Bytes>>,
    request: Request<Full<Bytes>>,
    deadline: Instant,
) -> (Result<Answer, Fault>, bool) {
    match timeout_at(deadline, sender.send_request(request)).await {
        Err(_) => (Err(Fault::Timeout), false),
        Ok(Err(error)) => (Err(Fault::Closed(chain(&error))), false),
        Ok(Ok(response)) => {
            let (answer, has_ended) = read(response, deadline).await;
            let is_whole = has_ended && answer.json_fault().is_none();
            (Ok(answer), is_whole)
        }
    }
}

/// Reads an answer; whether it was read to its end.
async fn read(response: Response<Incoming>, deadline: Instant) -> (Answer, bool) {
    let (head, mut incoming) = response.into_parts();
    let header = |(name, value): (&HeaderName, &HeaderValue)| {
        (name.as_str().to_owned(), value.as_bytes().to_vec())
    };
    let headers: Vec<_> = head.headers.iter().map(header).collect();
    let listening = Listening::of(&headers, deadline);
    let mut has_ended = false;
    let mut body = Vec::new();
    let fault = loop {
        let received = body.len();
        match timeout_at(listening.deadline, incoming.frame()).await {
            Err(_) if listening.is_stream => break None,
            Err(_) => break Some(BodyFault::TooSlow { received }),
            Ok(Some(Err(error))) => {
                let reason = chain(&error);
                break Some(BodyFault::Incomplete { received, reason });
            }
            Ok(None) => {
                has_ended = true;
                break None;
            }
            Ok(Some(Ok(frame))) => {
                let data = frame.into_data().unwrap_or_default();
                if received + data.len() > MAX_BODY {
                    if listening.is_stream {
                        break None;
                    }
                    break Some(BodyFault::TooLarge { limit: MAX_BODY });
                }
                body.extend_from_slice(&data);
            }
        }
    };
    let body = fault.map_or(Ok(body), Err);
    (Answer::new(head.status.as_u16(), headers, body), has_ended)
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        if read.is_ready() {
            self.is_owing = into.filled().len() > before;
        } else if self.is_owing && self.is_more.load(Ordering::Relaxed) {
            self.acknowledge();
            self.is_owing = false;
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.written(|stream| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        all: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.written(|stream| stream.poll_write_vectored(context, all))
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
