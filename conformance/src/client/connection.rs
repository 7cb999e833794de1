//! Connection: HTTP/1.1 over a plain socket of our own, which is left to another request where nothing speaks
//! against it.

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

/// So long a body is waited for that must not come.
const PATIENCE: Duration = Duration::from_millis(100);

/// No further is read what may not be there at all.
const MOST: usize = 256 * 1024;

/// A connection to the server.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    /// Whether a write has found no room: then the server may not have read everything.
    is_blocked: bool,
    /// Whether something of the answer has come that the server may not know of yet.
    is_owing: bool,
    /// Whether what has come was not all: else the next request soon tells that it has come.
    is_more: Arc<AtomicBool>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// None came in time.
    Timeout,
    /// The connection ended, or carried something that is not HTTP.
    Closed(String),
}

impl Connection {
    /// Opens one.
    ///
    /// # Errors
    /// Nobody answers.
    pub(super) async fn open(to: &Outgoing, deadline: Instant) -> Result<Self, Fault> {
        let connect = TcpStream::connect((to.host.as_str(), to.port));
        let opened = timeout_at(deadline, connect).await;
        let opened = opened.map_err(|_| Fault::Timeout)?;
        let failed = |error: io::Error| Fault::Closed(format!("failed to connect: {error}"));
        opened.and_then(Self::over).map_err(failed)
    }

    /// One over a socket.
    ///
    /// # Errors
    /// The socket has been closed.
    pub(super) fn over(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            is_blocked: false,
            is_owing: false,
            is_more: Arc::default(),
        })
    }

    /// Whether the server has neither closed it nor said anything since its last answer. The system is asked, as
    /// what the runtime knows is as old as its last look.
    pub(super) fn is_silent(&self) -> bool {
        let mut byte = [MaybeUninit::uninit()];
        let peeked = SockRef::from(&self.stream).peek(&mut byte);
        peeked.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Sends a request and reads the answer to its end; then the connection is left where it can carry another
    /// request.
    pub(super) async fn exchange(
        mut self,
        request: Request<Full<Bytes>>,
        deadline: Instant,
    ) -> (Result<Answer, Fault>, Option<Self>) {
        let is_head = request.method() == Method::HEAD;
        let is_more = Arc::clone(&self.is_more);
        // The request tells that the answer before it has come.
        self.is_owing = false;
        let shaken = http1::handshake(TokioIo::new(self)).await;
        let (mut sender, mut connection) = match shaken {
            Ok(both) => both,
            Err(error) => return (Err(Fault::Closed(chain(&error))), None),
        };
        let (answer, is_kept) = {
            let mut work = pin!(converse(&mut sender, request, deadline));
            let mut is_open = true;
            poll_fn(|context| {
                // Whichever can go on lets the other go on, too.
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
        let own = parts.io.into_inner();
        match answer {
            Ok(mut answer) if is_head => {
                if answer.body.is_ok() {
                    answer.body = Ok(own.rest(parts.read_buf.to_vec(), deadline).await);
                }
                (Ok(answer), None)
            }
            answer => {
                let is_kept = is_kept && is_ready && parts.read_buf.is_empty() && !own.is_blocked;
                (answer, is_kept.then_some(own))
            }
        }
    }

    /// Has the system say at once what has come. Many a server sends head and body apart, and the body only once
    /// it knows that the head has come, which is told 40 ms late on a connection that has been kept.
    fn acknowledge(&self) {
        #[cfg(any(target_os = "android", target_os = "linux"))]
        // What fails here fails with the next read.
        let _ = self.stream.set_quickack(true);
    }

    /// Writes, and notes where there is no room.
    fn written(
        mut self: Pin<&mut Self>,
        write: impl FnOnce(Pin<&mut TcpStream>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let written = write(Pin::new(&mut self.stream));
        self.is_blocked |= written.is_pending();
        written
    }

    /// What follows a head that nothing may follow: who keeps the connection open has nothing more to say.
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

/// Asks and listens; whether the answer is whole, so that another may follow.
async fn converse(
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
