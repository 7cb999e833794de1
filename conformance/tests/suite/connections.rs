//! Tests which requests share a connection, for servers that treat connections differently.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::read_head;
use conformance::client::{Client, Transport, address};
use conformance::encoding::Encoding;
use conformance::exchange::{Answer, BodyFault, NoAnswer, Sent, Shown};
use openapi_document::view::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const LIMIT: Duration = Duration::from_millis(1500);

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

/// The answer of a server to a request of a connection, counted from 1, and its next action.
type Habit = dyn Fn(usize, &str) -> (&'static str, After) + Send + Sync;

#[derive(Clone, Copy)]
enum After {
    /// Waits for another request.
    Listens,
    /// Closes the connection.
    Closes,
    /// Sends more bytes a little later, and waits for another request.
    Adds(&'static str),
    /// Sends the rest, and waits for another request.
    Ends(&'static str),
}

/// A server with a habit, and its log with lines `connection: METHOD /path`.
struct Server {
    client: Client,
    base: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// A server that treats every request alike.
    async fn always(text: &'static str, after: After) -> Self {
        Self::start(move |_, _| (text, after)).await
    }

    async fn start(
        habit: impl Fn(usize, &str) -> (&'static str, After) + Send + Sync + 'static,
    ) -> Self {
        Self::pausing(Duration::ZERO, habit).await
    }

    /// A server with a pause between two requests.
    async fn pausing(
        pause: Duration,
        habit: impl Fn(usize, &str) -> (&'static str, After) + Send + Sync + 'static,
    ) -> Self {
        let habit = Arc::new(habit);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let log = Arc::new(Mutex::new(Vec::new()));
        let seen = log.clone();
        tokio::spawn(async move {
            let mut connections = 0;
            while let Ok((stream, _)) = listener.accept().await {
                connections += 1;
                let served = serve(stream, connections, habit.clone(), seen.clone());
                // The client may have stopped reading.
                tokio::spawn(async move { served.await.ok() });
            }
        });
        let transport = Transport {
            pause,
            ..Transport::default()
        };
        let url = address(&base).unwrap();
        Self {
            client: Client::new(&url, LIMIT, &transport).await.unwrap(),
            base,
            log,
        }
    }

    async fn ask(&self, method: Method, path: &str) -> Result<Answer, NoAnswer> {
        let has_body = method == Method::Post;
        let mut sent = Sent {
            case: "case".to_owned(),
            operation: "operation".to_owned(),
            method,
            url: format!("{}{path}", self.base),
            path_arguments: Vec::new(),
            query: Vec::new(),
            headers: Vec::new(),
            body: has_body.then(|| b"{}".to_vec()),
            json: None,
            encoding: Encoding::Json,
            shown: Shown::default(),
            changes: Vec::new(),
        };
        self.client.send(&mut sent).await
    }

    /// The status of an answer, whose body must be complete.
    async fn status(&self, method: Method, path: &str) -> u16 {
        let answer = self.ask(method, path).await.unwrap();
        assert!(answer.body.is_ok(), "{method:?} {path}: {answer:?}");
        answer.status
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    connection: usize,
    habit: Arc<Habit>,
    log: Arc<Mutex<Vec<String>>>,
) -> std::io::Result<()> {
    let mut request = 0;
    while let Some(head) = read_head(&mut stream).await {
        // The body has two bytes, and comes with its head or after it.
        if head.contains("content-length: 2") && !head.ends_with("{}") {
            stream.read_exact(&mut [0; 2]).await?;
        }
        request += 1;
        let line = head.lines().next().unwrap_or_default();
        let line = line.trim_end_matches(" HTTP/1.1");
        log.lock().unwrap().push(format!("{connection}: {line}"));
        let (text, after) = habit(request, line);
        stream.write_all(text.as_bytes()).await?;
        match after {
            After::Listens => {}
            After::Closes => return Ok(()),
            After::Ends(rest) => stream.write_all(rest.as_bytes()).await?,
            After::Adds(more) => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                stream.write_all(more.as_bytes()).await?;
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_connection_is_reused_when_the_server_allows_it() {
    for text in [
        OK,
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ] {
        let server = Server::always(text, After::Listens).await;
        for path in ["/a", "/b", "/c"] {
            server.status(Method::Get, path).await;
        }
        assert_eq!(
            server.log(),
            ["1: GET /a", "1: GET /b", "1: GET /c"],
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_connection_is_not_reused_when_something_forbids_it() {
    for text in [
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
        "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        // The answer may be cut, with the rest still in flight.
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{\"",
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n",
    ] {
        let server = Server::always(text, After::Listens).await;
        for path in ["/a", "/b", "/c"] {
            assert_eq!(server.status(Method::Get, path).await, 200, "{text}");
        }
        assert_eq!(
            server.log(),
            ["1: GET /a", "2: GET /b", "3: GET /c"],
            "{text}"
        );
    }
}

#[tokio::test]
async fn an_answer_that_ends_with_its_connection_is_complete() {
    let server = Server::always("HTTP/1.1 200 OK\r\n\r\n{}", After::Closes).await;
    for path in ["/a", "/b"] {
        server.status(Method::Get, path).await;
    }
    assert_eq!(server.log(), ["1: GET /a", "2: GET /b"]);
}

/// The system delays the body until the head is acknowledged, which takes longer on a reused
/// connection.
#[tokio::test]
async fn a_head_without_its_body_is_acknowledged_at_once() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n";
    let server = Server::always(head, After::Ends("{}")).await;
    let begun = Instant::now();
    for _ in 0..100 {
        server.status(Method::Get, "/a").await;
    }
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert!(server.log().iter().all(|item| item == "1: GET /a"));
}

#[tokio::test]
async fn bytes_after_an_answer_are_never_the_next_answer() {
    let more = "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n";
    let server = Server::pausing(LIMIT / 5, move |_, _| (OK, After::Adds(more))).await;
    for path in ["/a", "/b", "/c"] {
        assert_eq!(server.status(Method::Get, path).await, 200);
    }
    assert_eq!(server.log(), ["1: GET /a", "2: GET /b", "3: GET /c"]);
}

#[tokio::test]
async fn a_server_that_closes_unannounced_gets_a_new_connection_each_time() {
    let server = Server::pausing(LIMIT / 5, |_, _| (OK, After::Closes)).await;
    for method in [Method::Get, Method::Post, Method::Get] {
        assert_eq!(server.status(method, "/a").await, 200);
    }
    assert_eq!(server.log(), ["1: GET /a", "2: POST /a", "3: GET /a"]);
}

#[tokio::test]
async fn after_one_spent_connection_none_is_kept() {
    let habit = |_, line: &str| match line {
        "GET /a" => (OK, After::Adds("HTTP/1.1 500 Oh\r\n\r\n")),
        _ => (OK, After::Listens),
    };
    let server = Server::pausing(LIMIT / 5, habit).await;
    for path in ["/a", "/b", "/c"] {
        assert_eq!(server.status(Method::Get, path).await, 200);
    }
    assert_eq!(server.log(), ["1: GET /a", "2: GET /b", "3: GET /c"]);
}

#[tokio::test]
async fn an_unsafe_request_uses_no_spent_connection() {
    for after in [After::Closes, After::Adds("HTTP/1.1 500 Oh\r\n\r\n")] {
        let habit = move |request, _: &str| match request {
            2 => (OK, after),
            _ => (OK, After::Listens),
        };
        let server = Server::pausing(LIMIT / 5, habit).await;
        for method in [Method::Get, Method::Get, Method::Post] {
            assert_eq!(server.status(method, "/a").await, 200);
        }
        assert_eq!(server.log(), ["1: GET /a", "1: GET /a", "2: POST /a"]);
    }
}

#[tokio::test]
async fn a_safe_request_is_repeated_when_a_kept_connection_fails() {
    for text in ["", "no answer\r\n\r\n"] {
        let habit = move |request, _: &str| match request {
            1 => (OK, After::Listens),
            _ => (text, After::Closes),
        };
        let server = Server::start(habit).await;
        for path in ["/a", "/b", "/c"] {
            assert_eq!(server.status(Method::Get, path).await, 200, "{text}");
        }
        let expected = ["1: GET /a", "1: GET /b", "2: GET /b", "3: GET /c"];
        assert_eq!(server.log(), expected, "{text}");
    }
}

#[tokio::test]
async fn an_unsafe_request_is_never_sent_twice() {
    let habit = |_, line: &str| match line {
        "POST /b" => ("", After::Closes),
        _ => (OK, After::Listens),
    };
    let server = Server::start(habit).await;
    for path in ["/a", "/b"] {
        server.status(Method::Get, path).await;
    }
    let failed = server.ask(Method::Post, "/b").await;
    let reason =
        "connection closed before message completed, on a connection that had been kept open";
    assert_eq!(failed.unwrap_err(), NoAnswer::Closed(reason.to_owned()));
    server.status(Method::Post, "/c").await;
    let expected = ["1: GET /a", "1: GET /b", "1: POST /b", "2: POST /c"];
    assert_eq!(server.log(), expected);
}

#[tokio::test]
async fn an_unsafe_request_reuses_a_connection_only_after_a_safe_one() {
    let server = Server::always(OK, After::Listens).await;
    for method in [Method::Post, Method::Post, Method::Get, Method::Post] {
        server.status(method, "/a").await;
    }
    let expected = ["1: POST /a", "2: POST /a", "2: GET /a", "2: POST /a"];
    assert_eq!(server.log(), expected);
}

#[tokio::test]
async fn a_connection_with_an_unread_body_is_not_kept() {
    let habit = |_, line: &str| match line {
        "POST /a" => (
            "HTTP/1.1 422 No\r\ncontent-length: 2\r\n\r\n{}",
            After::Listens,
        ),
        _ => (OK, After::Listens),
    };
    let server = Server::start(habit).await;
    assert_eq!(server.status(Method::Post, "/a").await, 422);
    server.status(Method::Get, "/b").await;
    server.status(Method::Get, "/c").await;
    assert_eq!(server.log(), ["1: POST /a", "2: GET /b", "2: GET /c"]);
}

#[tokio::test]
async fn parallel_requests_use_separate_connections() {
    let server = Server::always(OK, After::Listens).await;
    server.status(Method::Get, "/a").await;
    tokio::join!(
        server.status(Method::Get, "/b"),
        server.status(Method::Get, "/b")
    );
    let mut log = server.log();
    log.sort();
    assert_eq!(log, ["1: GET /a", "1: GET /b", "2: GET /b"]);
}

/// A server that serves one connection at a time, which an idle connection would block.
#[tokio::test]
async fn an_idle_connection_blocks_no_request() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = log.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let habit = Arc::new(|_: usize, _: &str| (OK, After::Listens));
            let _ = serve(stream, 0, habit, seen.clone()).await;
        }
    });
    let (url, transport) = (address(&base).unwrap(), Transport::default());
    let client = Client::new(&url, LIMIT, &transport).await.unwrap();
    let server = Server { client, base, log };
    tokio::join!(
        server.status(Method::Get, "/a"),
        server.status(Method::Get, "/b")
    );
    server.status(Method::Head, "/c").await;
    server.status(Method::Get, "/d").await;
    server.client.rest();
    let mut other = TcpStream::connect(server.base.trim_start_matches("http://"))
        .await
        .unwrap();
    other
        .write_all(b"GET /e HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .unwrap();
    let mut answer = [0; OK.len()];
    tokio::time::timeout(LIMIT, other.read_exact(&mut answer))
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn all_connections_to_a_parallel_server_are_reused() {
    let server = Server::always(OK, After::Listens).await;
    server.status(Method::Get, "/a").await;
    for _ in 0..10 {
        tokio::join!(
            server.status(Method::Get, "/b"),
            server.status(Method::Get, "/b"),
            server.status(Method::Get, "/b")
        );
    }
    let log = server.log();
    // The first round shows that the server serves several; one of its connections may have been
    // closed before that.
    let opened = log.iter().filter_map(|item| item.split_once(':'));
    let last = opened.map(|(opened, _)| opened.parse().unwrap()).max();
    assert!(last <= Some(5), "{log:?}");
}

/// The third of three parallel requests must wait, and an idle connection would block it.
#[tokio::test]
async fn a_server_with_two_slots_is_not_blocked() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let listener = Arc::new(listener);
    let log = Arc::new(Mutex::new(Vec::new()));
    for _ in 0..2 {
        let (listener, seen) = (listener.clone(), log.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let habit = Arc::new(|_: usize, _: &str| (OK, After::Listens));
                let _ = serve(stream, 0, habit, seen.clone()).await;
            }
        });
    }
    let (url, transport) = (address(&base).unwrap(), Transport::default());
    let client = Client::new(&url, LIMIT, &transport).await.unwrap();
    let server = Server { client, base, log };
    server.status(Method::Get, "/a").await;
    let begun = Instant::now();
    for _ in 0..20 {
        tokio::join!(
            server.status(Method::Get, "/b"),
            server.status(Method::Get, "/b"),
            server.status(Method::Get, "/b"),
            server.status(Method::Get, "/b")
        );
    }
    // The client waits for this once, and not in each round.
    let took = begun.elapsed();
    assert!(took < LIMIT, "{took:?}");
}

#[tokio::test]
async fn bytes_after_an_answer_to_head_are_reported() {
    for (text, expected) in [
        (
            "HTTP/1.1 200 OK\r\nEtag: \"a\"\r\ncontent-length: 5\r\n\r\n",
            Some((200, 0)),
        ),
        ("HTTP/1.1 204 \r\n\r\n{}", Some((204, 2))),
        ("HTTP/1.1 200 OK\r\n", None),
        ("hello\r\n\r\n", None),
        ("HTTP/1.1 OK\r\n\r\n", None),
    ] {
        for after in [After::Closes, After::Listens] {
            let server = Server::always(text, after).await;
            let found = server.ask(Method::Head, "/a").await.ok();
            let found = found.map(|found| (found.status, found.body.map_or(0, |body| body.len())));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}

#[tokio::test]
async fn a_cut_body_is_reported_on_a_kept_connection_too() {
    let habit = |_, line: &str| match line {
        "GET /b" => (
            "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}",
            After::Closes,
        ),
        _ => (OK, After::Listens),
    };
    let server = Server::start(habit).await;
    server.status(Method::Get, "/a").await;
    let cut = server.ask(Method::Get, "/b").await.unwrap();
    assert!(
        matches!(cut.body, Err(BodyFault::Incomplete { received: 2, .. })),
        "{cut:?}"
    );
    server.status(Method::Get, "/c").await;
    assert_eq!(server.log(), ["1: GET /a", "1: GET /b", "2: GET /c"]);
}
