//! Edge cases of HTTP and of the database file.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;

use sandbox::store::{Store, StoreSettings};

use crate::databases;
use crate::process::{KEY, Process, database};

/// How many programs start at once on one new file.
const AT_ONCE: usize = 4;
/// How many stores of one program open it at once.
const OPENED_AT_ONCE: usize = 8;

/// Sends raw bytes; returns the status and the whole answer.
fn talk(sandbox: &Process, request: &str) -> (u16, String) {
    let address = sandbox.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap();
    (status.parse().unwrap(), answer)
}

#[test]
fn an_ambiguous_request_is_refused() {
    let sandbox = Process::start();
    let hosts = "host: one.example\r\nhost: two.example\r\n";
    for path in ["/v1/transactions", "/_sandbox/clock", "/", "/docs"] {
        let request = format!("GET {path} HTTP/1.1\r\n{hosts}authorization: {KEY}\r\n\r\n");
        refused(&sandbox, &request, 400, "more than one header Host");
    }
    let with = |headers: &str, body: &str| {
        format!(
            "POST /v1/transactions HTTP/1.1\r\nhost: a\r\n{headers}authorization: {KEY}\r\n\r\n{body}"
        )
    };
    for lengths in [
        "content-length: 5\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked\r\ncontent-length: 5\r\n",
    ] {
        let both = "Content-Length and Transfer-Encoding";
        refused(&sandbox, &with(lengths, "0\r\n\r\n"), 400, both);
    }
    let twice = "content-length: 2\r\ncontent-length: 3\r\n";
    refused(
        &sandbox,
        &with(twice, "{}"),
        400,
        "more than one Content-Length",
    );
    for bare in ["a: b\n", "content-length: 2\n"] {
        refused(&sandbox, &with(bare, "{}"), 400, "LF without CR");
    }
}

#[test]
fn a_malformed_head_gets_a_problem_and_an_id() {
    let sandbox = Process::start();
    refused(&sandbox, "hello\r\n\r\n", 400, "no request of HTTP/1.1");
    refused(
        &sandbox,
        "GET / HTTP/2.0\r\n\r\n",
        400,
        "no request of HTTP/1.1",
    );
    let long = "a".repeat(9_000);
    let address = format!("GET /v1/reports?{long} HTTP/1.1\r\nhost: a\r\n\r\n");
    refused(&sandbox, &address, 414, "the address is too long");
    let headers = format!("a: {long}\r\n").repeat(10);
    let large = format!("GET / HTTP/1.1\r\nhost: a\r\n{headers}\r\n");
    refused(&sandbox, &large, 431, "too large, or too many");
    let many = format!(
        "GET / HTTP/1.1\r\nhost: a\r\n{}\r\n",
        "a: b\r\n".repeat(101)
    );
    refused(&sandbox, &many, 431, "too large, or too many");
}

/// The HTTP library refuses the rest, and answers without a body.
#[test]
fn what_the_http_library_refuses_has_an_empty_answer() {
    let sandbox = Process::start();
    let chunk = format!(
        "POST /v1/transactions HTTP/1.1\r\nhost: a\r\nauthorization: {KEY}\r\n\
         transfer-encoding: chunked\r\n\r\nnothing\r\n"
    );
    let address = "GET /a\x01b HTTP/1.1\r\nhost: a\r\n\r\n";
    for request in [&chunk, address] {
        let (status, answer) = talk(&sandbox, request);
        assert_eq!(status, 400, "{answer}");
    }
    assert!(talk(&sandbox, address).1.ends_with("\r\n\r\n"));
}

/// Framing skips bodies, and a connection serves further requests after them.
#[test]
fn requests_with_bodies_follow_each_other_on_one_connection() {
    let sandbox = Process::start();
    let headers = format!("host: a\r\ncontent-type: application/json\r\nauthorization: {KEY}\r\n");
    let body = "{\"amount\":\n\"1.00\",\n\n\"currency\":\"EUR\"}";
    let post = format!("POST /v1/transactions HTTP/1.1\r\n{headers}");
    let plain = format!("{post}content-length: {}\r\n\r\n{body}", body.len());
    let chunked = format!(
        "{post}transfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        body.len()
    );
    let denied = "POST /v1/transactions HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n\n\n\n\n";
    let last = format!("GET /v1/reports HTTP/1.1\r\n{headers}connection: close\r\n\r\n");
    let (_, answers) = talk(
        &sandbox,
        &[&*plain, &chunked, denied, &plain, &last].concat(),
    );
    let statuses: Vec<&str> = { answers.split("HTTP/1.1 ").skip(1) }
        .map(|answer| &answer[..3])
        .collect();
    assert_eq!(statuses, ["201", "201", "401", "201", "200"], "{answers}");
}

/// Expects a refusal with a problem and the same id in header and body.
fn refused(sandbox: &Process, request: &str, status: u16, detail: &str) {
    let (found, answer) = talk(sandbox, request);
    assert_eq!(found, status, "{answer}");
    assert!(answer.contains("application/problem+json"), "{answer}");
    assert!(
        answer.contains(detail) && answer.contains("\"E1000\""),
        "{answer}"
    );
    let id = answer.split("request-id: ").nth(1).unwrap();
    let (id, body) = id.split_once("\r\n").unwrap();
    assert!(
        body.contains(&format!("\"requestId\":\"{id}\"")),
        "{answer}"
    );
}

/// A sandbox that is starting; it ends with the test.
struct Starting(Child);

impl Starting {
    fn on(database: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandbox"));
        command
            .args(["--listen", "127.0.0.1:0", "--database", database])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }

    /// The line that it prints when it serves.
    fn line(&mut self) -> String {
        let mut line = String::new();
        let stdout = self.0.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn programs_that_start_together_on_a_new_database_all_serve() {
    let fresh = || [Some(databases::file()), databases::postgres()];
    for fresh in (0..3).flat_map(|_| fresh()).flatten() {
        let all: Vec<_> = (0..AT_ONCE).map(|_| Starting::on(&fresh.url())).collect();
        for mut one in all {
            let line = one.line();
            assert!(line.starts_with("http://127.0.0.1:"), "{line:?}");
        }
    }
}

/// Each finds an empty file, one that another one marks, or one with all tables.
#[test]
fn stores_that_open_together_on_a_new_file_all_open() {
    for _ in 0..20 {
        let fresh = databases::file();
        let database = fresh.database();
        let start = Barrier::new(OPENED_AT_ONCE);
        let open = || {
            start.wait();
            Store::open(&database, StoreSettings::default()).map(drop)
        };
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..OPENED_AT_ONCE).map(|_| scope.spawn(open)).collect();
            for one in all {
                one.join().unwrap().unwrap();
            }
        });
    }
}

/// Another process writes for longer than the sandbox waits, while reads continue.
#[tokio::test]
async fn ready_means_that_the_database_can_be_written() {
    let sandbox = Process::start();
    assert_eq!(sandbox.get("/readyz").await.status, 204);
    let path = database(sandbox.directory.path());
    let holder = rusqlite::Connection::open(path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(sandbox.get("/v1/reports").await.status, 200);
    let unready = sandbox.get("/readyz").await;
    assert_eq!(
        (unready.status, &unready.body["code"]),
        (503, &"E1503".into())
    );
    assert_eq!(unready.headers["retry-after"], "5");
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(sandbox.get("/readyz").await.status, 204);
}
