//! Receiver: a small HTTP server on this machine that collects notifications.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant as Moment, timeout, timeout_at};

/// The size of the largest accepted message, in bytes.
const MAX_BODY: usize = 1024 * 1024;

/// The greatest number of messages to keep.
const MOST: usize = 1000;

/// A connection is closed after this time without a message.
const PATIENCE: Duration = Duration::from_secs(30);

/// A received message.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Headers in their order; names in lower case.
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    pub(crate) at: Instant,
}

impl Received {
    /// The first header with a name (in lower case), as text.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let (_, value) = self.headers.iter().find(|(header, _)| header == name)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }
}

#[derive(Debug, Default)]
struct Inbox {
    messages: Mutex<Vec<Received>>,
    came: Notify,
}

/// Receives messages until it is dropped.
#[derive(Debug)]
pub(crate) struct Receiver {
    /// The address at which servers reach it, without a trailing slash.
    pub(crate) address: String,
    inbox: Arc<Inbox>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Starts to listen. `public` is the address for servers, when it differs from the listening
    /// address.
    pub(crate) async fn start(listen: SocketAddr, public: Option<&str>) -> io::Result<Self> {
        let listener = TcpListener::bind(listen).await?;
        let local = format!("http://{}", listener.local_addr()?);
        let inbox = Arc::new(Inbox::default());
        let task = tokio::spawn(serve(listener, inbox.clone()));
        Ok(Self {
            address: public.map_or(local, |public| public.trim_end_matches('/').to_owned()),
            inbox,
            task,
        })
    }

    /// The messages received so far at or below a path.
    pub(crate) fn received(&self, path: &str) -> Vec<Received> {
        let all = self.inbox.messages.lock();
        let all = all.unwrap_or_else(PoisonError::into_inner);
        let below = |message: &&Received| {
            let rest = message.path.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        };
        all.iter().filter(below).cloned().collect()
    }

    /// Waits until a message has arrived at a path and then none for `quiet`, or until `end`.
    pub(crate) async fn settle(&self, path: &str, quiet: Duration, end: Instant) -> Vec<Received> {
        loop {
            let came = self.inbox.came.notified();
            let received = self.received(path);
            let until = received.last().map_or(end, |last| last.at + quiet);
            if timeout_at(Moment::from_std(until), came).await.is_err() {
                let now = self.received(path);
                if now.len() == received.len() {
                    return now;
                }
            }
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, inbox: Arc<Inbox>) {
    loop {
        // A connection that is already closed needs no error.
        if let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(timeout(PATIENCE, connection(stream, inbox.clone())));
        }
    }
}

async fn connection(stream: TcpStream, inbox: Arc<Inbox>) {
    let take = |request: Request<Incoming>| {
        let inbox = inbox.clone();
        async move { Ok::<_, Infallible>(take(request, &inbox).await) }
    };
    let http = hyper::server::conn::http1::Builder::new();
    // A missing message shows that a connection ended early.
    let _ = http
        .serve_connection(TokioIo::new(stream), service_fn(take))
        .await;
}

async fn take(request: Request<Incoming>, inbox: &Inbox) -> Response<Empty<Bytes>> {
    let (head, body) = request.into_parts();
    let mut answer = Response::new(Empty::new());
    let Ok(body) = Limited::new(body, MAX_BODY).collect().await else {
        *answer.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
        return answer;
    };
    let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        (name.as_str().to_owned(), value.as_bytes().to_vec())
    };
    let received = Received {
        method: head.method.as_str().to_owned(),
        path: head
            .uri
            .path_and_query()
            .map_or("/", |item| item.as_str())
            .to_owned(),
        headers: head.headers.iter().map(header).collect(),
        body: body.to_bytes().to_vec(),
        at: Instant::now(),
    };
    let messages = inbox.messages.lock();
    let mut messages = messages.unwrap_or_else(PoisonError::into_inner);
    if messages.len() < MOST {
        messages.push(received);
    }
    drop(messages);
    inbox.came.notify_waiters();
    *answer.status_mut() = StatusCode::NO_CONTENT;
    answer
}
