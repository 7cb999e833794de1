//! Sandboxes inside another program.

use futures_util::future::join_all;
use sandbox::Sandbox;

use crate::process::{plain_client, purchase, reply};

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_sandboxes_at_once_are_independent() {
    let spawned = join_all((0..100).map(|_| Sandbox::spawn())).await;
    let client = plain_client();
    let purchases = spawned.iter().map(|sandbox| async {
        let sandbox = sandbox.as_ref().unwrap();
        let make = client
            .post(format!("{}/v1/transactions", sandbox.url))
            .header("authorization", sandbox.api_key)
            .json(&purchase("order-1", "accept"));
        let made = reply(make).await;
        assert_eq!(made.status, 201, "{made:?}");
        assert!(!made.headers.contains_key("idempotent-replayed"));
    });
    join_all(purchases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_sandbox_does_not_listen() {
    let spawned = Sandbox::spawn().await.unwrap();
    let address = spawned.url.strip_prefix("http://").unwrap().to_owned();
    assert!(std::net::TcpStream::connect(&address).is_ok());
    spawned.stop().await;
    assert!(std::net::TcpStream::connect(&address).is_err());
}
