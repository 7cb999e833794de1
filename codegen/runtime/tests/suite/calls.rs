//! How calls use connections, what cancels them, and what `tracing` sees of them.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use openapi_generate_runtime::client::{
    Clock, Connection, Endpoint, HttpClient, Outcome, Request, Settings, SystemClock, Wait,
};
use openapi_generate_runtime::json::Unreadable;
use openapi_generate_runtime::{Answer, Operation, Repeat};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

static READ: Operation = Operation {
    id: "readThing",
    method: "GET",
    path: "/thing",
    parameters: &[],
    security: &[],
    request_id: Some("request-id"),
    repeat: Repeat::Idempotent,
};

struct ReadThing;

impl Endpoint for ReadThing {
    type Parameters = ();
    type Success = ();
    type Error = ();
    const OPERATION: &'static Operation = &READ;

    fn decode(answer: &Answer) -> Result<Outcome<(), ()>, Unreadable> {
        Ok(if answer.status.is_success() {
            Outcome::Success(())
        } else {
            Outcome::Refused(())
        })
    }
}

async fn listener() -> (TcpListener, Settings) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let settings = Settings::new(format!("http://{}", listener.local_addr().unwrap()));
    (listener, settings)
}

fn request(connection: &Arc<Connection>) -> Request<ReadThing> {
    Request::new(connection, ())
}

/// Reads the head of a request; what came until the connection ended if there is none.
async fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read_buf(&mut head).await.unwrap_or(0) == 0 {
            break;
        }
    }
    String::from_utf8(head).unwrap()
}

async fn answer(stream: &mut TcpStream, status: &str) {
    let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.unwrap();
}

async fn soon<T>(work: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(10), work).await.unwrap()
}

#[tokio::test]
async fn calls_share_a_connection() {
    let (listener, settings) = listener().await;
    let connection = Arc::new(settings.connect().unwrap());
    let served = async {
        // The listener is asked once.
        let (mut stream, _) = listener.accept().await.unwrap();
        for _ in 0..2 {
            assert!(head(&mut stream).await.starts_with("GET /thing "));
            answer(&mut stream, "204 No Content").await;
        }
    };
    let calls = async {
        for _ in 0..2 {
            assert!(request(&connection).await.is_ok());
        }
    };
    soon(async { tokio::join!(served, calls) }).await;
}

#[tokio::test]
async fn a_dropped_call_ends_its_connection() {
    let (listener, settings) = listener().await;
    let connection = Arc::new(settings.connect().unwrap());
    let call = tokio::spawn(request(&connection).into_future());
    let (mut stream, _) = soon(listener.accept()).await.unwrap();
    assert!(soon(head(&mut stream)).await.starts_with("GET /thing "));
    call.abort();
    assert_eq!(soon(head(&mut stream)).await, "");
}

#[tokio::test]
async fn the_http_client_may_be_that_of_the_user() {
    let (listener, settings) = listener().await;
    let http = HttpClient::builder().user_agent("of the user").build();
    let connection = Arc::new(settings.http(http.unwrap()).connect().unwrap());
    let served = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let head = head(&mut stream).await;
        answer(&mut stream, "204 No Content").await;
        head
    };
    let (head, called) = soon(async { tokio::join!(served, request(&connection)) }).await;
    assert!(head.contains("user-agent: of the user\r\n"), "{head}");
    assert!(called.is_ok());
}

#[tokio::test]
async fn a_call_has_a_timeout_of_its_own() {
    let (_listener, settings) = listener().await;
    let connection = Arc::new(settings.timeout(Duration::from_mins(1)).connect().unwrap());
    let short = request(&connection).timeout(Duration::from_millis(20));
    let short = short.retries(openapi_generate_runtime::client::RetryPolicy::off());
    assert!(soon(short.into_future()).await.unwrap_err().is_timeout());
}

/// Waits for nothing.
#[derive(Debug)]
struct Impatient;

impl Clock for Impatient {
    fn now(&self) -> std::time::SystemTime {
        SystemClock.now()
    }

    fn instant(&self) -> std::time::Instant {
        SystemClock.instant()
    }

    fn wait(&self, _: Duration) -> Wait {
        Box::pin(async {})
    }
}

/// Keeps the fields of spans and events as text.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<String>>);

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0.lock().unwrap(), "{field}={value:?} ").unwrap();
    }
}

impl Subscriber for Seen {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("openapi_generate_runtime")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn a_call_is_a_span_without_secrets() {
    let (listener, settings) = listener().await;
    let connection = Arc::new(settings.clock(Impatient).connect().unwrap());
    let served = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        for status in ["503 Service Unavailable", "204 No Content"] {
            assert!(head(&mut stream).await.contains("very-secret"));
            answer(&mut stream, status).await;
        }
    };
    let seen = Seen::default();
    let guard = tracing::subscriber::set_default(seen.clone());
    let call = request(&connection).request_id("r-1");
    let call = call.header("authorization", "very-secret");
    let (called, ()) = soon(async { tokio::join!(call, served) }).await;
    drop(guard);
    assert!(called.is_ok());
    let seen = seen.0.lock().unwrap();
    for field in [
        "operation=\"readThing\"",
        "path=\"/thing\"",
        "request_id=\"r-1\"",
        "attempts=1 status=503",
        "attempts=2 status=204",
    ] {
        assert!(seen.contains(field), "{field}: {seen}");
    }
    assert!(!seen.contains("very-secret"), "{seen}");
}
