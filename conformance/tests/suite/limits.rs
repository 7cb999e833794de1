//! Tests the limits of time and memory: servers that lie, flood or break off each get a clear
//! finding.

use std::time::{Duration, Instant};

use crate::support::{case, certify, checks, options, read_head, write};
use conformance::event::CaseReport;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

const SPEC: &str = r"openapi: 3.0.4
info: {title: Things, version: '1'}
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}, example: a}
      responses:
        '200':
          description: The thing.
          content:
            application/json:
              schema:
                type: object
                required: [id]
                properties:
                  id: {type: string}
                  size: {type: integer, maximum: 10}
              example: {id: a, size: 3}
";

/// The time limit of one request.
const LIMIT: Duration = Duration::from_millis(1500);

/// The behaviour of a server after it received a request.
#[derive(Clone, Copy)]
enum Habit {
    /// Sends a text and closes.
    Says(&'static str),
    /// Sends a beginning, then the same bytes again and again with a pause.
    Repeats(&'static str, &'static [u8], Duration),
    /// Resets the connection after a beginning.
    Resets(&'static str),
    /// Sends a body that repeats one byte, all at once.
    Floods(&'static str, usize, u8),
}

async fn serve(mut stream: TcpStream, habit: Habit) -> std::io::Result<()> {
    if read_head(&mut stream).await.is_none() {
        return Ok(());
    }
    match habit {
        Habit::Says(text) => stream.write_all(text.as_bytes()).await,
        Habit::Repeats(text, again, pause) => {
            stream.write_all(text.as_bytes()).await?;
            loop {
                stream.write_all(again).await?;
                tokio::time::sleep(pause).await;
            }
        }
        Habit::Resets(text) => {
            stream.write_all(text.as_bytes()).await?;
            stream.set_zero_linger()
        }
        Habit::Floods(text, count, byte) => {
            stream.write_all(text.as_bytes()).await?;
            stream.write_all(&vec![byte; count]).await
        }
    }
}

/// The finding for a server with a habit.
async fn found(habit: Habit) -> CaseReport {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // The runner may have stopped reading.
            tokio::spawn(async move { serve(stream, habit).await.ok() });
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let mut options = options(&spec, &url);
    options.timeout = LIMIT;
    let record = certify(&options).await.unwrap();
    case(&record, "getThing/200/example").clone()
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/// A habit, and the check that reports it.
const ROWS: &[(&str, Habit, &str)] = &[
    (
        "a length that is too small",
        Habit::Says(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n{\"id\":\"a\",\"size\":3}",
        ),
        "invalid-json",
    ),
    (
        "a length that is too large",
        Habit::Says(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"id\":\"a\",\"size\":3}",
        ),
        "body-incomplete",
    ),
    (
        "two lengths",
        Habit::Says("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\n{}"),
        "connection-closed",
    ),
    (
        "a body that drips for ever",
        Habit::Repeats(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
            b"1\r\n \r\n",
            Duration::from_millis(20),
        ),
        "no-answer",
    ),
    (
        "a body that floods for ever",
        Habit::Repeats(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n",
            &[b' '; 8_192],
            Duration::ZERO,
        ),
        "body-too-large",
    ),
    (
        "a header without an end",
        Habit::Floods("HTTP/1.1 200 OK\r\nx-more: ", 3_000_000, b'x'),
        "connection-closed",
    ),
    (
        "a reset before the answer",
        Habit::Resets(""),
        "connection-closed",
    ),
    (
        "a reset within the body",
        Habit::Resets("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"),
        "body-incomplete",
    ),
    (
        "a second answer that nobody asked for",
        Habit::Says(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 19\r\n\r\n{\"id\":\"b\",\"size\":3}HTTP/1.1 500 Oh\r\n\r\n",
        ),
        "echo",
    ),
    (
        "a bomb: nobody unpacks it",
        Habit::Floods(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 3000000\r\n\r\n",
            3_000_000,
            0x1f,
        ),
        "invalid-json",
    ),
    (
        "a redirect to itself",
        Habit::Says("HTTP/1.1 307 Again\r\nlocation: /things/a\r\ncontent-length: 0\r\n\r\n"),
        "status-code",
    ),
];

#[tokio::test]
async fn every_habit_is_reported_in_time() {
    for (what, habit, check) in ROWS {
        let begun = Instant::now();
        let case = found(*habit).await;
        assert!(checks(&case).contains(check), "{what}: {case:#?}");
        let longest = case
            .differences
            .iter()
            .map(|difference| difference.actual.len())
            .max();
        assert!(longest < Some(1000), "{what}: {longest:?}");
        assert!(
            begun.elapsed() < LIMIT * 10,
            "{what}: {:?}",
            begun.elapsed()
        );
    }
}

#[tokio::test]
async fn a_number_of_any_length_is_read() {
    let digits = "9".repeat(400);
    let long_number =
        format!("{HEAD}connection: close\r\n\r\n{{\"id\":\"a\",\"size\":{digits}}}").leak();
    let case = found(Habit::Says(long_number)).await;
    assert_eq!(checks(&case), ["schema-bounds"], "{case:#?}");
}

#[tokio::test]
async fn no_part_of_a_body_that_cannot_be_read_is_quoted() {
    let secret = "sk-live-5f0c2b";
    let text = format!("{HEAD}connection: close\r\n\r\n{{\"token\":\"{secret}\",}}");
    let case = found(Habit::Says(text.leak())).await;
    assert_eq!(checks(&case), ["invalid-json"]);
    assert!(!format!("{case:?}").contains(secret), "{case:#?}");
}
