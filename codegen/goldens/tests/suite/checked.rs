//! What breaks a constraint is no checked value, is not sent by a client that checks, and is refused
//! by a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::recorder::{listen, plain_http};
use codegen_goldens::client;
use codegen_goldens::models::{Tag, Tagged};
use codegen_goldens::operations::checked_requests::TagParameters;
use codegen_goldens::runtime::client::{Connection, Error, Settings};
use codegen_goldens::runtime::server::Context;
use codegen_goldens::runtime::{Broken, Checked, Violation};
use codegen_goldens::server::checked_requests::{CheckedRequests, TagResponse};

/// Answers with what came, as tags; counts the requests that reach it.
#[derive(Default)]
struct Tags(AtomicUsize);

impl CheckedRequests for Tags {
    async fn tag(&self, _: Context, _: TagParameters, body: Vec<String>) -> TagResponse {
        self.0.fetch_add(1, Ordering::Relaxed);
        let tags = body.into_iter().map(Tag::String).collect();
        TagResponse::Ok(Tagged::new(tags))
    }
}

/// A server, and a connection to it with these settings.
async fn serving(settings: fn(Settings) -> Settings) -> (Arc<Tags>, Arc<Connection>) {
    let tags = Arc::new(Tags::default());
    let address = listen(codegen_goldens::server::checked_requests::routes(&tags)).await;
    let settings = settings(Settings::new(address).http(plain_http()));
    (tags, Arc::new(settings.connect().unwrap()))
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn places(violations: &[Violation]) -> Vec<(&str, &str)> {
    let places = violations.iter();
    places
        .map(|one| (one.pointer.as_str(), one.keyword))
        .collect()
}

#[test]
fn a_checked_value_keeps_to_its_schema() {
    let tags = vec![
        Tag::Integer(0),
        Tag::String("A".to_owned()),
        Tag::Integer(1),
    ];
    let Broken { violations } = Checked::new(Tagged::new(tags)).unwrap_err();
    let expected = [
        ("/tags", "maxItems"),
        ("/tags/0", "minimum"),
        ("/tags/1", "pattern"),
    ];
    assert_eq!(places(&violations), expected);

    let good = Checked::new(Tagged::new(vec![Tag::Integer(1)])).unwrap();
    assert_eq!(good.tags, [Tag::Integer(1)]);
    let more = good.clone().with(|value| value.tags.push(Tag::Integer(2)));
    assert_eq!(more.unwrap().into_inner().tags.len(), 2);
    let broken = good
        .with(|value| value.tags.push(Tag::Integer(-1)))
        .unwrap_err();
    assert_eq!(broken.to_string(), "/tags/1 must be at least 1");

    let text = r#"{"tags":["a",7]}"#;
    let read: Checked<Tagged> = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    let broken = serde_json::from_str::<Checked<Tagged>>(r#"{"tags":["a",0]}"#).unwrap_err();
    assert!(
        broken.to_string().contains("/tags/1 must be at least 1"),
        "{broken}"
    );
}

#[tokio::test]
async fn a_client_that_checks_sends_nothing_broken() {
    let (tags, connection) = serving(Settings::checking).await;
    let client = client::checked_requests(&connection);
    for (id, body, part, expected) in [
        (1, texts(&[]), "body: ", vec![("", "minItems")]),
        (
            1,
            texts(&["a", "long"]),
            "body: /1 ",
            vec![("/1", "maxLength")],
        ),
        (
            100,
            texts(&["a"]),
            "parameters: /id ",
            vec![("/id", "maximum")],
        ),
    ] {
        let Error::Request(error) = client.tag(id, &body).await.unwrap_err() else {
            unreachable!("it is not sent");
        };
        assert_eq!(places(&error.violations), expected);
        assert!(error.message.starts_with(part), "{error}");
    }
    assert_eq!(tags.0.load(Ordering::Relaxed), 0);
    let answer = client.tag(99, &texts(&["abc"])).await.unwrap();
    assert_eq!(answer.body.tags, [Tag::String("abc".to_owned())]);
    assert_eq!(tags.0.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_server_refuses_all_that_is_broken() {
    let (tags, connection) = serving(|settings| settings).await;
    let client = client::checked_requests(&connection);
    let error = client.tag(100, &texts(&["long"])).await.unwrap_err();
    let Error::Unexpected(answer) = error else {
        unreachable!("the document has no refusal: {error}");
    };
    let body = String::from_utf8_lossy(&answer.body);
    for expected in [
        "id",
        "must be at most 99",
        "/0",
        "must have at most 3 characters",
    ] {
        assert!(body.contains(expected), "{expected} in {body}");
    }
    assert_eq!(tags.0.load(Ordering::Relaxed), 0);
}
