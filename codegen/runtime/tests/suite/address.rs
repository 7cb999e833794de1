//! Where a request goes: below the address of the connection, whatever the path looks like.

use std::sync::Arc;
use std::time::Duration;

use openapi_generate_runtime::client::{Endpoint, Outcome, Request, Settings};

use openapi_generate_runtime::json::Unreadable;
use openapi_generate_runtime::{Answer, Operation, Repeat};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::timeout;

const fn operation(path: &'static str) -> Operation {
    Operation {
        id: "read",
        method: "GET",
        path,
        parameters: &[],
        security: &[],
        request_id: None,
        repeat: Repeat::Never,
    }
}

static OPERATIONS: [Operation; 4] = [
    operation("/v1/x"),
    operation("//elsewhere.invalid/x"),
    operation("/\\elsewhere.invalid/x"),
    operation("/v1/x?fixed=1"),
];

struct Read<const N: usize>;

impl<const N: usize> Endpoint for Read<N> {
    type Parameters = ();
    type Success = ();
    type Error = ();
    const OPERATION: &'static Operation = &OPERATIONS[N];

    fn decode(_: &Answer) -> Result<Outcome<(), ()>, Unreadable> {
        Ok(Outcome::Success(()))
    }
}

/// The target of the request line, where the address of the connection ends like this.
async fn target<const N: usize>(end: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}{end}", listener.local_addr().unwrap());
    let connection = Arc::new(Settings::new(address).connect().unwrap());
    let answered = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            assert_ne!(stream.read_buf(&mut head).await.unwrap(), 0);
        }
        let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
        stream.write_all(answer).await.unwrap();
        String::from_utf8(head).unwrap()
    };
    let request = Request::<Read<N>>::new(&connection, ());
    let both = async { tokio::join!(request, answered) };
    let (sent, head) = timeout(Duration::from_secs(10), both)
        .await
        .expect("the request goes to the connection's server");
    assert!(sent.is_ok());
    head.split(' ').nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn a_path_is_put_behind_the_address() {
    assert_eq!(target::<0>("").await, "/v1/x");
    assert_eq!(target::<0>("/").await, "/v1/x");
    assert_eq!(target::<0>("/api/v2").await, "/api/v2/v1/x");
    assert_eq!(target::<0>("/api/v2/").await, "/api/v2/v1/x");
    assert_eq!(target::<3>("/api").await, "/api/v1/x?fixed=1");
}

#[tokio::test]
async fn a_path_that_looks_like_a_host_is_none() {
    assert_eq!(target::<1>("").await, "//elsewhere.invalid/x");
    assert_eq!(target::<2>("").await, "//elsewhere.invalid/x");
    assert_eq!(target::<1>("/api").await, "/api//elsewhere.invalid/x");
    assert_eq!(target::<0>("//api").await, "//api/v1/x");
}
