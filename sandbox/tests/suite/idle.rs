//! Clients that never complete their request.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use sandbox::store::Database;
use sandbox::{Sandbox, Settings};

/// More pieces than a client can send before the timeout.
const DROPS: usize = 1_000;

/// Sends the start of a request and reads until the server closes the connection.
fn answer(address: SocketAddr, beginning: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let deadline = Duration::from_secs(20);
    stream.set_read_timeout(Some(deadline)).unwrap();
    stream.write_all(beginning.as_bytes()).unwrap();
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    assert!(read.is_ok(), "still open: {read:?} after {answer}");
    answer
}

/// Sends further pieces often enough not to be idle, until the server closes the connection;
/// returns the answer.
fn drip(address: SocketAddr, beginning: &str, drop: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(beginning.as_bytes()).unwrap();
    let pace = Duration::from_millis(10);
    stream.set_read_timeout(Some(pace)).unwrap();
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    for _ in 0..DROPS {
        match stream.read(&mut buffer) {
            Ok(read) if read > 0 => answer.extend_from_slice(&buffer[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                // The server may have just closed the connection, which the next read detects.
                let _ = stream.write_all(drop.as_bytes());
            }
            _ => return String::from_utf8_lossy(&answer).into_owned(),
        }
    }
    panic!("it is still open after {DROPS} drops");
}

/// Runs clients against a sandbox with this timeout.
async fn with_patience(idle_for: Duration, talk: fn(SocketAddr)) {
    let directory = tempfile::tempdir().unwrap();
    let database = directory.path().join("sandbox.db");
    let opened = Sandbox::open(Settings::new(Database::File(database))).await;
    let sandbox = opened.unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = sandbox.serve(listener, idle_for, std::future::pending());
    let serving = tokio::spawn(serving);
    let talked = tokio::task::spawn_blocking(move || talk(address)).await;
    serving.abort();
    talked.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_closed() {
    with_patience(Duration::from_millis(500), talk_of_nothing).await;
}

fn talk_of_nothing(address: SocketAddr) {
    let head = "POST /v1/transactions HTTP/1.1\r\nhost: x\r\nauthorization: development-key\r\n\
                content-type: application/json\r\ncontent-length: 100\r\n";
    let nothing = ["", "POST /v1/trans", head].map(|part| answer(address, part));
    assert_eq!(nothing, [""; 3]);
    let half = answer(address, &format!("{head}\r\n{{\"amount\":"));
    assert!(half.starts_with("HTTP/1.1 400 "), "{half}");
    assert_eq!(drip(address, "GET /", "a"), "");
    let dripped = drip(
        address,
        &format!("{}\r\n", head.replace("100", "10000")),
        " ",
    );
    assert!(dripped.starts_with("HTTP/1.1 400 "), "{dripped}");
    let whole = answer(address, "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    assert!(whole.starts_with("HTTP/1.1 204 "), "{whole}");
}

/// Both wait for their answer for longer than the timeout, one with a body and one without.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_waits_for_an_answer_is_kept() {
    with_patience(Duration::from_millis(200), talk_of_slow_answers).await;
}

fn talk_of_slow_answers(address: SocketAddr) {
    let post = |path, key, body: &str| {
        let length = body.len();
        format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: {key}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
    };
    let fault = r#"{"latencyMs": 900}"#;
    let armed = answer(
        address,
        &post("/_sandbox/faults", "development-admin-key", fault),
    );
    assert!(armed.starts_with("HTTP/1.1 201 "), "{armed}");
    let made = answer(address, &post("/v1/transactions", "development-key", "{}"));
    assert!(made.starts_with("HTTP/1.1 422 "), "{made}");
    let read = "GET /v1/transactions/merchant/nobody HTTP/1.1\r\nhost: x\r\n\
                authorization: development-key\r\n\r\n";
    let read = answer(address, read);
    assert!(read.starts_with("HTTP/1.1 404 "), "{read}");
}
