//! The edges of HTTP and of the database file.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::process::{KEY, Process, database};

/// How many programs start at once on one new file.
const AT_ONCE: usize = 4;

/// Sends bytes as they are and gives the status of the answer and all of it.
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
fn a_request_that_can_be_read_in_two_ways_is_refused() {
    let sandbox = Process::start();
    let close = "connection: close\r\n";
    let hosts = "host: one.example\r\nhost: two.example\r\n";
    for path in ["/v1/transactions", "/_sandbox/clock", "/", "/docs"] {
        let request = format!("GET {path} HTTP/1.1\r\n{hosts}{close}authorization: {KEY}\r\n\r\n");
        let (status, answer) = talk(&sandbox, &request);
        assert_eq!(status, 400, "{path}: {answer}");
        assert!(answer.contains("application/problem+json"), "{answer}");
        assert!(answer.contains("more than one header Host"), "{answer}");
    }
    let lengths = "content-length: 5\r\ntransfer-encoding: chunked\r\n";
    let request = format!(
        "POST /v1/transactions HTTP/1.1\r\nhost: a\r\n{lengths}{close}authorization: {KEY}\r\n\r\n0\r\n\r\n"
    );
    let (status, answer) = talk(&sandbox, &request);
    assert_eq!(status, 400, "{answer}");
    assert!(answer.contains("E1000"), "{answer}");
}

/// A sandbox that starts, and ends with the test.
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

    /// The line that it prints once it serves.
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
fn programs_that_start_at_once_on_a_new_file_all_serve() {
    for _ in 0..3 {
        let directory = tempfile::tempdir().unwrap();
        let file = format!("sqlite://{}", directory.path().join("new.db").display());
        let all: Vec<_> = (0..AT_ONCE).map(|_| Starting::on(&file)).collect();
        for mut one in all {
            let line = one.line();
            assert!(line.starts_with("http://127.0.0.1:"), "{line:?}");
        }
    }
}

/// Somebody else writes for longer than the sandbox waits, while reads go on.
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
