//! Receiver: a small server on this machine that takes what a server sends by itself.

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

/// The largest message that is taken, in bytes.
const MAX_BODY: usize = 1024 * 1024;

/// So many messages are kept; whoever sends more has been found out by then.
const MOST: usize = 1000;

/// A connection that says nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A message as it came.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    pub(crate) at: Instant,
}

impl Received {
    /// The first header of a name (in lower case), as text.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let (_, value) = self.headers.iter().find(|(own, _)| own == name)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }
}

#[derive(Debug, Default)]
struct Inbox {
    messages: Mutex<Vec<Received>>,
    came: Notify,
}

/// Takes messages until it is dropped.
#[derive(Debug)]
pub(crate) struct Receiver {
    /// Where it is reached, without a slash at its end.
    pub(crate) address: String,
    inbox: Arc<Inbox>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Begins to listen. Where servers reach it otherwise than by that address, the other is told to
    /// them.
    pub(crate) async fn start(listen: SocketAddr, told: Option<&str>) -> io::Result<Self> {
        let listener = TcpListener::bind(listen).await?;
        let own = format!("http://{}", listener.local_addr()?);
        let inbox = Arc::new(Inbox::default());
        let task = tokio::spawn(serve(listener, inbox.clone()));
        Ok(Self {
            address: told.map_or(own, |told| told.trim_end_matches('/').to_owned()),
            inbox,
            task,
        })
    }

    /// What came so far at an address below a path.
    pub(crate) fn received(&self, path: &str) -> Vec<Received> {
        let all = self.inbox.messages.lock();
        let all = all.unwrap_or_else(PoisonError::into_inner);
        let below = |own: &&Received| {
            let rest = own.path.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        };
        all.iter().filter(below).cloned().collect()
    }

    /// Waits until something has come at a path, and nothing has for a while after it, or until the
    /// time is over.
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
        // A connection that is gone already is nobody's loss.
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
    // What ends a connection early is told by what did not come.
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
            .map_or("/", |own| own.as_str())
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
