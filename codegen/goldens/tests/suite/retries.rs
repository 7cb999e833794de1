//! A request is sent again only where the document says that this does no harm.

use std::sync::{Arc, Mutex};

use axum::http::{HeaderMap, StatusCode};
use tokio::net::TcpListener;

use super::gatekeeper::SetClock;
use super::recorder::plain_http;
use codegen_goldens::client;
use codegen_goldens::client::retries::Retries;
use codegen_goldens::runtime::client::{Endpoint, Error, Request, Settings};

/// The idempotency keys of the requests, as they came.
type Keys = Arc<Mutex<Vec<Option<String>>>>;

/// A server that is busy, but for every third request.
async fn busy() -> (Keys, Retries) {
    let keys = Keys::default();
    let kept = Arc::clone(&keys);
    let router = axum::Router::new().fallback(move |headers: HeaderMap| async move {
        let key = headers.get("idempotency-key");
        let mut keys = kept.lock().unwrap();
        keys.push(key.map(|key| key.to_str().unwrap().to_owned()));
        match keys.len() % 3 {
            0 => StatusCode::NO_CONTENT,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let settings = Settings::new(address)
        .http(plain_http())
        .clock(SetClock::new());
    (
        keys,
        client::retries(&Arc::new(settings.connect().unwrap())),
    )
}

/// How the call ends, and with which keys it was sent.
async fn sent<O: Endpoint>(
    call: impl FnOnce(Retries) -> Request<O>,
) -> (bool, Vec<Option<String>>) {
    let (keys, client) = busy().await;
    let result = call(client).await;
    let busy = matches!(&result, Err(Error::Unexpected(answer)) if answer.status == 503);
    assert!(
        result.is_ok() || busy,
        "{:?}",
        result.err().map(|error| error.to_string())
    );
    let keys = std::mem::take(&mut *keys.lock().unwrap());
    (result.is_ok(), keys)
}

#[tokio::test]
async fn what_may_do_harm_is_sent_once() {
    assert_eq!(sent(|client| client.add()).await, (false, vec![None]));
    assert_eq!(
        sent(|client| client.add().repeatable()).await,
        (true, vec![None; 3])
    );
}

#[tokio::test]
async fn what_does_no_harm_is_sent_again() {
    assert_eq!(sent(|client| client.replace()).await, (true, vec![None; 3]));
    assert_eq!(sent(|client| client.count()).await, (true, vec![None; 3]));
}

#[tokio::test]
async fn a_key_is_made_once_for_all_attempts() {
    let (good, keys) = sent(|client| client.add_once()).await;
    assert!(good && keys[0].as_ref().is_some_and(|key| key.len() == 36));
    assert_eq!(keys, vec![keys[0].clone(); 3]);
    let own = Some("mine".to_owned());
    let (good, keys) = sent(|client| client.add_once().idempotency_key("mine")).await;
    assert!(good);
    assert_eq!(keys, vec![own; 3]);
}
