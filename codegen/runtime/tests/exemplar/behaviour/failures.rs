//! Calls that fail, as the client sees them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::routing::{any, get};

use super::shop::{BROKEN, client, client_of, purchase, serve};
use crate::client::{CreatePurchaseError, Error, GetTransactionError};
use crate::models::CaptureRequest;
use crate::runtime::Uuid;

#[tokio::test]
async fn a_documented_refusal_is_typed() {
    let mut request = purchase();
    request.currency = "XXX".into();
    let call = client()
        .await
        .transactions()
        .create_purchase(&request)
        .request_id("r-1");
    let error = call.await.unwrap_err();

    assert_eq!(error.status().unwrap(), 404);
    let Some(CreatePurchaseError::NotFound(problem)) = error.refusal() else {
        panic!("{error:?}");
    };
    assert_eq!(problem.request_id.as_deref(), Some("r-1"));

    let error = client()
        .await
        .transactions()
        .get_transaction(Uuid::random())
        .await
        .unwrap_err();
    assert!(matches!(
        error.refusal(),
        Some(GetTransactionError::NotFound(_))
    ));
}

#[tokio::test]
async fn a_body_that_is_not_as_documented_keeps_status_body_and_place() {
    let id = Uuid::new(BROKEN).unwrap();
    let error = client()
        .await
        .transactions()
        .get_transaction(id)
        .await
        .unwrap_err();

    let Error::Decode(decode) = error else {
        panic!("{error:?}");
    };
    assert_eq!(decode.answer.status, 200);
    assert_eq!(decode.reason.pointer, "/actions/capture");
    assert!(decode.answer.body.ends_with(br#"{"capture": "yes"}}"#));
    assert!(decode.answer.headers.contains_key("request-id"));
}

#[tokio::test]
async fn an_operation_without_implementation_answers_501() {
    let call = client()
        .await
        .transactions()
        .capture_transaction(&CaptureRequest::default())
        .await;
    let Err(Error::Unexpected(answer)) = call else {
        panic!("{call:?}");
    };
    assert_eq!(answer.status, 501);
    assert!(
        answer
            .read_text()
            .unwrap()
            .contains("captureTransaction is not implemented")
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_transport_error() {
    let client = client_of("http://127.0.0.1:1");
    let id = Uuid::random();
    let error = client
        .transactions()
        .get_transaction(id)
        .retries(0)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Transport(_)));
    assert!(!error.to_string().contains(&id.to_string()), "{error}");
}

#[tokio::test]
async fn a_server_that_hangs_is_a_timeout() {
    let hanging = axum::Router::new().fallback(any(std::future::pending::<()>));
    let client = client_of(&serve(hanging).await);
    let call = client.transactions().create_purchase(&purchase());
    let start = Instant::now();
    let error = call.timeout(Duration::from_millis(50)).await.unwrap_err();
    assert!(error.is_timeout());
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "the timeout of the settings was used"
    );
}

/// A server that is too busy for the first requests; it notes the request ids.
async fn busy(failures: usize) -> (String, Arc<AtomicUsize>, Arc<std::sync::Mutex<Vec<String>>>) {
    let (count, ids) = (Arc::new(AtomicUsize::new(0)), Arc::default());
    let (counter, noted) = (
        Arc::clone(&count),
        Arc::<std::sync::Mutex<Vec<String>>>::clone(&ids),
    );
    let answer = move |headers: http::HeaderMap| {
        let id = headers["request-id"]
            .to_str()
            .unwrap_or_default()
            .to_owned();
        noted.lock().unwrap().push(id);
        let busy = counter.fetch_add(1, Ordering::SeqCst) < failures;
        std::future::ready(if busy {
            (http::StatusCode::SERVICE_UNAVAILABLE, String::new())
        } else {
            (http::StatusCode::OK, format!(r#"{{"id": "{BROKEN}"}}"#))
        })
    };
    let router = axum::Router::new().fallback(get(answer.clone()).post(answer));
    (serve(router).await, count, ids)
}

#[tokio::test]
async fn reading_is_repeated_with_the_same_request_id() {
    let (address, count, ids) = busy(2).await;
    let response = client_of(&address)
        .transactions()
        .get_transaction(Uuid::random())
        .await;

    assert_eq!(response.unwrap().status, 200);
    assert_eq!(count.load(Ordering::SeqCst), 3);
    let ids = ids.lock().unwrap();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[tokio::test]
async fn writing_is_repeated_only_when_asked_for() {
    let (address, count, _) = busy(1).await;
    let client = client_of(&address);
    let error = client
        .transactions()
        .create_purchase(&purchase())
        .await
        .unwrap_err();
    assert_eq!(
        (
            error.status().unwrap().as_u16(),
            count.load(Ordering::SeqCst)
        ),
        (503, 1)
    );

    let (address, count, _) = busy(1).await;
    let client = client_of(&address);
    let error = client
        .transactions()
        .create_purchase(&purchase())
        .retries(1)
        .await
        .unwrap_err();
    assert_eq!(
        (
            error.status().unwrap().as_u16(),
            count.load(Ordering::SeqCst)
        ),
        (200, 2)
    );
}
