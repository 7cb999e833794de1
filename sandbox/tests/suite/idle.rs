//! Clients that never end their request.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use sandbox::Sandbox;
use sandbox::clock::SystemClock;

/// Sends the beginning of a request and reads all that comes until the connection is closed.
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

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_on_which_nothing_happens_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let database = directory.path().join("sandbox.db");
    let opened = Sandbox::open(&database, "key", Arc::new(SystemClock)).await;
    let Sandbox { service, app } = opened.unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let for_ever = std::future::pending();
    let idle_for = Duration::from_millis(100);
    let serving = sandbox::http::serve(listener, idle_for, service, app, for_ever);
    let serving = tokio::spawn(serving);
    let head = "POST /v1/transactions HTTP/1.1\r\nhost: x\r\nauthorization: key\r\n\
                content-type: application/json\r\ncontent-length: 100\r\n";
    let talk = tokio::task::spawn_blocking(move || {
        let nothing = ["", "POST /v1/trans", head].map(|part| answer(address, part));
        assert_eq!(nothing, [""; 3]);
        let half = answer(address, &format!("{head}\r\n{{\"amount\":"));
        assert!(half.starts_with("HTTP/1.1 400 "), "{half}");
        let whole = answer(address, "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
        assert!(whole.starts_with("HTTP/1.1 204 "), "{whole}");
    });
    talk.await.unwrap();
    serving.abort();
}
