//! Server-sent events.

use std::time::Duration;

use super::shop::{client, client_of, http, serve, shop};
use crate::models::FileRecord;
use crate::runtime::Event;
use crate::runtime::client::{EventError, Events};

async fn next(events: &mut Events<FileRecord>) -> Event<FileRecord> {
    events.next().await.unwrap().unwrap()
}

#[tokio::test]
async fn events_come_typed() {
    let request = client().await.files().watch_files();
    let response = request.stream().await.unwrap();
    assert_eq!(response.headers["content-type"], "text/event-stream");
    assert_eq!(response.headers["cache-control"], "no-cache");

    let mut events = response.body;
    let first = Event::new(FileRecord::new("file-1")).id("1").event("new");
    assert_eq!(
        next(&mut events).await,
        first.retry(Duration::from_millis(10))
    );
    assert_eq!(
        next(&mut events).await,
        Event::new(FileRecord::new("file-2")).id("2")
    );
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn an_end_of_events_can_be_waited_for() {
    let events = client().await.files().watch_files().await.unwrap().body;
    let ids: Vec<_> = events.iter().map(|event| event.data.id.as_str()).collect();
    assert_eq!(ids, ["file-1", "file-2"]);
}

/// The server ends the first answer, breaks off the second, and has no third.
#[tokio::test]
async fn a_lost_connection_is_made_anew_where_that_is_asked_for() {
    let request = client().await.files().watch_files();
    let events = request.stream().await.unwrap().body;
    let mut events = events.reconnecting(1).unwrap();
    let mut ids = Vec::new();
    while let Some(event) = events.next().await {
        ids.push(event.unwrap().data.id);
    }
    assert_eq!(ids, ["file-1", "file-2", "file-3"]);
    assert_eq!(events.last_id(), Some("3"));
}

#[tokio::test]
async fn events_that_break_off_are_an_error() {
    let request = client().await.files().watch_files();
    let mut events = request
        .header("last-event-id", "2")
        .stream()
        .await
        .unwrap()
        .body;
    assert_eq!(next(&mut events).await.data.id, "file-3");
    let error = events.next().await.unwrap().unwrap_err();
    assert!(matches!(error, EventError::Stream(_)), "{error}");
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn a_server_that_is_gone_is_an_error_after_the_last_attempt() {
    let text = "retry: 1\nid: 1\ndata: {\"id\": \"a\"}\n\n";
    let answer = move |headers: http::HeaderMap| async move {
        let status = if headers.contains_key("last-event-id") {
            503
        } else {
            200
        };
        (
            http::StatusCode::from_u16(status).unwrap(),
            [("content-type", "text/event-stream")],
            text,
        )
    };
    let router = axum::Router::new().route("/files/events", axum::routing::get(answer));
    let client = client_of(&serve(router).await);
    let events = client.files().watch_files().stream().await.unwrap().body;
    let mut events = events.reconnecting(3).unwrap();
    assert_eq!(next(&mut events).await.data.id, "a");
    let error = events.next().await.unwrap().unwrap_err();
    assert!(
        matches!(&error, EventError::Refused(answer) if answer.status == 503),
        "{error}"
    );
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn data_that_is_not_as_documented_is_an_error_and_the_rest_still_comes() {
    let text = "data: {\"id\": 7}\n\ndata: {\"id\": \"a\"}\n\ndata: [DONE]\n\ndata: {}\n\n";
    let answer = move || async move { ([("content-type", "text/event-stream")], text) };
    let router = axum::Router::new().route("/files/events", axum::routing::get(answer));
    let client = client_of(&serve(router).await);
    let events = client.files().watch_files().stream().await.unwrap().body;
    let mut events = events.until("[DONE]");
    let error = events.next().await.unwrap().unwrap_err();
    let EventError::Data { event, reason } = error else {
        panic!("{error}")
    };
    assert_eq!(
        (event.data.as_str(), reason.pointer.as_str()),
        ("{\"id\": 7}", "/id")
    );
    assert_eq!(next(&mut events).await.data.id, "a");
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn comments_keep_a_quiet_connection_alive() {
    let request = http().get(format!("{}/files/events", shop().await));
    let mut response = request.header("x-quiet", "1").send().await.unwrap();
    for _ in 0..2 {
        assert_eq!(response.chunk().await.unwrap().unwrap(), ":\n\n");
    }
}
