//! Adverse conditions: slow clients, too many clients, endless bodies, and a full disk.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use reqwest::Method;
use serde_json::json;

use crate::process::{DEADLINE, Process, id, purchase, reply};

/// The most that a sandbox can write before the disk counts as full, in blocks of 512 bytes.
const BLOCKS: usize = 4_096;
/// The number of idle connections.
const IDLE: u64 = 9_500;
/// The number of other open files, in this process and in the sandbox.
const OTHERS: u64 = 1_000;

/// A new connection.
fn connect(sandbox: &Process) -> TcpStream {
    TcpStream::connect(sandbox.url.trim_start_matches("http://")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_and_is_used_again_when_there_is_room() {
    let limits = format!("trap '' XFSZ; ulimit -S -f {BLOCKS}");
    let sandbox = Process::start_limited(&limits);
    let mut made = Vec::new();
    let refused = loop {
        let body = purchase(&format!("full-{}", made.len()), "accept");
        let answer = sandbox.post("/v1/transactions", &body).await;
        if answer.status != 201 {
            break answer;
        }
        made.push(answer.body);
    };
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (503, &json!("E1503"))
    );
    assert!(
        made.len() > 1,
        "no write succeeded before the disk was full"
    );
    for known in &made {
        let found = sandbox
            .get(&format!("/v1/transactions/{}", id(known)))
            .await;
        assert_eq!((found.status, &found.body), (200, known));
    }
    let missing = format!("/v1/transactions/merchant/full-{}", made.len());
    assert_eq!(sandbox.get(&missing).await.status, 404);

    sandbox.give_room();
    let begun = Instant::now();
    let last = purchase(&format!("full-{}", made.len()), "accept");
    while sandbox.post("/v1/transactions", &last).await.status != 201 {
        assert!(
            begun.elapsed() < DEADLINE,
            "the sandbox does not write again"
        );
    }
    let sandbox = sandbox.kill_and_restart();
    for known in &made {
        let found = sandbox
            .get(&format!("/v1/transactions/{}", id(known)))
            .await;
        assert_eq!((found.status, &found.body), (200, known));
    }
    sandbox.audit();
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_connections_block_no_request_and_return_their_memory() {
    allow_files(IDLE + OTHERS);
    // It inherits the limits of this process.
    let sandbox = Process::start();
    sandbox.purchase("alone", "accept").await;
    let before = sandbox.memory();
    let idle: Vec<_> = (0..IDLE).map(|_| ask(&sandbox)).collect();
    sandbox.purchase("among-many", "accept").await;
    let during = sandbox.memory();
    assert!(
        during > 2 * before,
        "{before} kB before, {during} kB during"
    );
    drop(idle);
    sandbox.purchase("alone-again", "accept").await;
    let begun = Instant::now();
    loop {
        // A request makes the allocator return free memory.
        drop(ask(&sandbox));
        let after = sandbox.memory();
        if after < 2 * before {
            return;
        }
        assert!(
            begun.elapsed() < DEADLINE,
            "{before} kB before, {during} kB during, {after} kB after"
        );
    }
}

/// A new connection that has answered one request.
fn ask(sandbox: &Process) -> TcpStream {
    let mut stream = connect(sandbox);
    let request = b"GET /healthz HTTP/1.1\r\nhost: sandbox\r\n\r\n";
    stream.write_all(request).unwrap();
    let mut answer = [0; 512];
    let read = stream.read(&mut answer).unwrap();
    assert!(answer[..read].starts_with(b"HTTP/1.1 204"));
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sandbox_survives_too_many_connections() {
    let sandbox = Process::start_limited("ulimit -n 128");
    let body = purchase("first", "accept");
    assert_eq!(sandbox.post("/v1/transactions", &body).await.status, 201);
    // Connections that cannot be accepted wait in a queue of limited size.
    let many: Vec<_> = (0..200).map(|_| connect(&sandbox)).collect();
    drop(many);
    let again = sandbox.post("/v1/transactions", &body).await;
    assert_eq!(again.status, 201);
    sandbox.audit();
}

/// Allows this process and its children to open `count` files.
fn allow_files(count: u64) {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    assert!(
        hard >= count,
        "`ulimit -H -n` is {hard}, and has to be {count}"
    );
    setrlimit(Resource::RLIMIT_NOFILE, soft.max(count), hard).unwrap();
}

#[tokio::test]
async fn an_endless_body_is_refused() {
    let sandbox = Process::start();
    let before = sandbox.rows();
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    let objects = "{\"customer\":".repeat(10_000);
    let bodies = [
        format!("{open}{close}"),
        format!("{{\"amount\":\"1.00\",\"currency\":\"EUR\",\"items\":{open}{close}}}"),
        objects,
    ];
    for body in bodies {
        let request = sandbox.request(Method::POST, "/v1/transactions");
        let refused = reply(
            request
                .header("content-type", "application/json")
                .body(body),
        )
        .await;
        assert!([400, 422].contains(&refused.status), "{refused:?}");
        assert_eq!(refused.headers["content-type"], "application/problem+json");
    }
    assert_eq!(sandbox.rows(), before);
    // Unknown members are skipped at any depth.
    let body = format!("{{\"amount\":\"1.00\",\"currency\":\"EUR\",\"unknown\":{open}{close}}}");
    let request = sandbox.request(Method::POST, "/v1/transactions");
    let made = reply(
        request
            .header("content-type", "application/json")
            .body(body),
    )
    .await;
    assert_eq!(made.status, 201, "{made:?}");
}

#[test]
fn an_invalid_or_too_long_head_ends_the_connection_with_its_status() {
    let sandbox = Process::start();
    let (long, many) = ("x".repeat(70_000), "a: b\r\n".repeat(200));
    let heads = [
        (format!("GET /{long} HTTP/1.1\r\nhost: x\r\n\r\n"), "414"),
        (format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n"), "431"),
        ("what is this?\r\n\r\n".to_owned(), "400"),
    ];
    for (head, status) in heads {
        let mut stream = connect(&sandbox);
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert_eq!(answer.strip_prefix("HTTP/1.1 "), Some(status));
    }
}
