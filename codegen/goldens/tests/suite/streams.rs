//! Bodies that come and go as streams, from a generated client to a generated server and back.

use std::sync::Arc;

use codegen_goldens::client;
use codegen_goldens::models::ChangesEvent;
use codegen_goldens::runtime::client::{Connection, Settings};
use codegen_goldens::runtime::server::Context;
use codegen_goldens::runtime::server::EventStream;
use codegen_goldens::runtime::{ByteStream, Event};
use codegen_goldens::server::binary_bodies::{self, BinaryBodies, ShrinkResponse};
use codegen_goldens::server::named_events::{self, ChangesResponse, NamedEvents};
use codegen_goldens::server::server_sent_events::{self, ServerSentEvents, TicksResponse};

struct Mirror;

impl BinaryBodies for Mirror {
    async fn shrink(&self, _: Context, body: ByteStream) -> ShrinkResponse {
        ShrinkResponse::Ok(body)
    }
}

impl NamedEvents for Mirror {
    async fn changes(&self, _: Context) -> ChangesResponse {
        let (sender, events) = EventStream::channel(1);
        tokio::spawn(async move {
            for event in changes() {
                sender.send(event).await.unwrap();
            }
            let later = ChangesEvent::Unknown("{}".to_owned());
            let later = Event::new(later).event("moved");
            sender.send(later).await.unwrap();
        });
        ChangesResponse::Ok(events)
    }
}

/// Text that is no JSON, text that would be some, and JSON; one with a name of its own.
fn changes() -> [Event<ChangesEvent>; 5] {
    let text = |text: &str| ChangesEvent::Renamed(text.to_owned());
    [
        Event::new(text("a b")),
        Event::new(text("\"7\"")),
        Event::new(ChangesEvent::Grown(7)),
        Event::new(ChangesEvent::Grown(-7)).event("shrunk"),
        Event::new(ChangesEvent::Tagged(vec!["x".to_owned()])),
    ]
}

impl ServerSentEvents for Mirror {
    async fn ticks(&self, _: Context) -> TicksResponse {
        let (sender, events) = EventStream::channel(1);
        tokio::spawn(async move {
            for tick in 1..=2 {
                sender.send(Event::new(tick).event("tick")).await.unwrap();
            }
        });
        TicksResponse::Ok(events)
    }
}

async fn connection() -> Arc<Connection> {
    let mirror = Arc::new(Mirror);
    let routes = binary_bodies::routes(&mirror)
        .merge(named_events::routes(&mirror))
        .merge(server_sent_events::routes(&mirror));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, routes.into_router()).await.unwrap() });
    Arc::new(Settings::new(address).connect().unwrap())
}

#[tokio::test]
async fn a_stream_of_bytes_goes_there_and_comes_back() {
    let pictures = client::binary_bodies(&connection().await);
    let answer = pictures.shrink("picture").await.unwrap();
    assert_eq!(answer.header("content-type"), Some("image/png"));
    assert_eq!(answer.body, "picture");

    let sent = pictures
        .shrink(vec![7; 100_000])
        .stream()
        .await
        .unwrap()
        .body;
    let back = pictures.shrink(sent).stream().await.unwrap().body;
    assert_eq!(back.collect(100_000).await.unwrap(), vec![7; 100_000]);
}

#[tokio::test]
async fn events_have_the_type_of_their_item_schema() {
    let ticks = client::server_sent_events(&connection().await);
    let mut events = ticks.ticks().stream().await.unwrap().body;
    for tick in 1..=2 {
        let event = events.next().await.unwrap().unwrap();
        assert_eq!(event, Event::new(tick).event("tick"));
    }
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn events_are_told_apart_by_their_names() {
    let changes_of = client::named_events(&connection().await);
    let mut events = changes_of.changes().stream().await.unwrap().body;
    let names = ["renamed", "renamed", "grown", "shrunk", "tagged"];
    for (sent, name) in changes().into_iter().zip(names) {
        let event = events.next().await.unwrap().unwrap();
        assert_eq!(
            event,
            Event {
                event: Some(name.to_owned()),
                ..sent
            }
        );
    }
    let later = events.next().await.unwrap().unwrap();
    assert_eq!(later.event.as_deref(), Some("moved"));
    assert_eq!(later.data, ChangesEvent::Unknown("{}".to_owned()));
    assert!(events.next().await.is_none());
}
