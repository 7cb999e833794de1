//! Calls that fail, as the client sees them.

use std::time::{Duration, Instant};

use axum::routing::any;

use super::shop::{BROKEN, client, client_of, purchase, serve};
use crate::client::{CreatePurchaseError, Error, GetTransactionError};
use crate::models::CaptureRequest;
use crate::runtime::Uuid;
use crate::runtime::client::RetryPolicy;

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
    assert_eq!(error.request_id(), Some("r-1"));
    assert_eq!(
        error.problem().unwrap().title.as_deref(),
        Some(&*problem.title)
    );
    let words = format!("the server answered 404 Not Found: {}", problem.title);
    assert!(error.to_string().starts_with(&words), "{error}");

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
        .retries(RetryPolicy::off())
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
