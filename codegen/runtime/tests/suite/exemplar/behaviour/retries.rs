//! Requests that are sent again, to a server that fails at first. The pauses pass on a clock of the
//! test.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use axum::extract::Request;
use http::{HeaderMap, StatusCode};

use super::shop::{BROKEN, KEY, purchase, serve};
use crate::client::{Client, Settings};
use crate::models::{CaptureRequest, FileNote};
use crate::operations::files::AddNoteBody;
use crate::runtime::Uuid;
use crate::runtime::client::{Clock, Error, RetryPolicy, Wait};

const MINUTE: Duration = Duration::from_mins(1);

/// A clock on which nothing but waiting takes time.
#[derive(Clone, Debug)]
struct TestClock {
    start: Instant,
    waits: Arc<Mutex<Vec<Duration>>>,
}

impl TestClock {
    fn new() -> Self {
        Self {
            start: Instant::now(),
            waits: Arc::default(),
        }
    }

    fn waits(&self) -> Vec<Duration> {
        self.waits.lock().unwrap().clone()
    }

    fn passed(&self) -> Duration {
        self.waits().iter().sum()
    }
}

impl Clock for TestClock {
    fn instant(&self) -> Instant {
        self.start + self.passed()
    }

    /// It starts at 12:00:00 on 1 January 2027.
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_hours(499_668) + self.passed()
    }

    fn wait(&self, pause: Duration) -> Wait {
        self.waits.lock().unwrap().push(pause);
        Box::pin(std::future::ready(()))
    }
}

/// The headers of each request that a server has seen.
type Seen = Arc<Mutex<Vec<HeaderMap>>>;

/// A server that answers each of these statuses once, with this `Retry-After`, and then as the
/// shop would.
async fn failing(statuses: &[u16], retry_after: Option<&'static str>) -> (String, Seen) {
    let (statuses, seen) = (statuses.to_vec(), Seen::default());
    let noted = Arc::clone(&seen);
    let answer = move |request: Request| {
        let mut noted = noted.lock().unwrap();
        let status = statuses.get(noted.len()).copied().unwrap_or(200);
        noted.push(request.headers().clone());
        let mut headers = HeaderMap::new();
        headers.insert("content-type", "application/json".parse().unwrap());
        if let Some(text) = retry_after {
            headers.insert("retry-after", text.parse().unwrap());
        }
        let body = match *request.method() {
            http::Method::GET => format!(r#"{{"id": "{BROKEN}"}}"#),
            _ => r#"{"text": "done"}"#.to_owned(),
        };
        std::future::ready((StatusCode::from_u16(status).unwrap(), headers, body))
    };
    let router = axum::Router::new().fallback(axum::routing::any(answer));
    (serve(router).await, seen)
}

fn client(address: &str, policy: RetryPolicy) -> (Client, TestClock) {
    let clock = TestClock::new();
    let settings = Settings::new(address).api_key(KEY).retries(policy);
    (Client::new(settings.clock(clock.clone())).unwrap(), clock)
}

fn note() -> AddNoteBody {
    AddNoteBody::Json(FileNote {
        text: "hello".to_owned(),
        author: None,
    })
}

#[tokio::test]
async fn reading_is_repeated_with_the_same_request_id() {
    for status in [408, 425, 429, 502, 503, 504] {
        let (address, seen) = failing(&[status, status], None).await;
        let (client, clock) = client(&address, RetryPolicy::default());
        let response = client.transactions().get_transaction(Uuid::random()).await;

        assert_eq!(response.unwrap().status, 200);
        let ids: Vec<_> = seen
            .lock()
            .unwrap()
            .iter()
            .map(|it| it["request-id"].clone())
            .collect();
        assert_eq!(
            ids,
            [ids[0].clone(), ids[0].clone(), ids[0].clone()],
            "{status}"
        );
        assert_eq!(clock.waits().len(), 2);
    }
}

#[tokio::test]
async fn other_refusals_are_final() {
    for status in [400, 409, 500, 501] {
        let (address, seen) = failing(&[status], None).await;
        let (client, _) = client(&address, RetryPolicy::default());
        let error = client.transactions().get_transaction(Uuid::random()).await;
        assert_eq!(error.unwrap_err().status().unwrap(), status);
        assert_eq!(seen.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn attempts_end_and_the_last_answer_is_given() {
    let (address, seen) = failing(&[503, 503, 502, 503], None).await;
    let (client, _) = client(&address, RetryPolicy::attempts(3));
    let error = client.transactions().get_transaction(Uuid::random()).await;
    assert_eq!(error.unwrap_err().status().unwrap(), 502);
    assert_eq!(seen.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn retries_can_be_off_for_all_requests_or_for_one() {
    let (address, seen) = failing(&[503; 4], None).await;
    let (reader, _) = client(&address, RetryPolicy::off());
    let call = reader.transactions().get_transaction(Uuid::random());
    assert!(call.await.is_err());
    assert_eq!(seen.lock().unwrap().len(), 1);

    let (reader, _) = client(&address, RetryPolicy::default());
    let call = reader.transactions().get_transaction(Uuid::random());
    assert!(call.retries(RetryPolicy::off()).await.is_err());
    assert_eq!(seen.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn writing_is_repeated_only_when_the_caller_says_that_it_may_be() {
    let capture = CaptureRequest::default();
    let (address, seen) = failing(&[503], None).await;
    let (writer, _) = client(&address, RetryPolicy::default());
    let call = writer.transactions().capture_transaction(&capture);
    let error = call.retries(RetryPolicy::attempts(9)).await.unwrap_err();
    assert_eq!(error.status().unwrap(), 503);
    assert_eq!(seen.lock().unwrap().len(), 1);

    let (address, seen) = failing(&[503], None).await;
    let (writer, _) = client(&address, RetryPolicy::default());
    let call = writer.transactions().capture_transaction(&capture);
    assert!(call.repeatable().await.is_err());
    assert_eq!(seen.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn what_has_a_natural_key_is_repeated_when_the_body_has_one() {
    for (key, requests) in [("order-1", 2), ("", 1)] {
        let (address, seen) = failing(&[503], None).await;
        let (writer, _) = client(&address, RetryPolicy::default());
        let mut request = purchase();
        request.merchant_transaction_id = key.into();
        let call = writer.transactions().create_purchase(&request);
        assert!(call.await.is_err());
        assert_eq!(seen.lock().unwrap().len(), requests, "{key}");
    }
}

#[tokio::test]
async fn the_idempotency_key_is_made_once_and_sent_with_each_attempt() {
    let (address, seen) = failing(&[503, 429, 200, 503], None).await;
    let (client, _) = client(&address, RetryPolicy::default());
    client.files().add_note("1", &note()).await.unwrap();
    let given = client
        .files()
        .add_note("1", &note())
        .idempotency_key("mine");
    given.await.unwrap();
    client.files().add_note("1", &note()).await.unwrap();

    let seen = seen.lock().unwrap();
    let keys: Vec<_> = seen
        .iter()
        .map(|headers| headers["idempotency-key"].to_str().unwrap())
        .collect();
    assert_eq!(keys.len(), 6);
    let made = uuid::Uuid::try_parse(keys[0]).unwrap();
    assert_eq!(made.get_version_num(), 4);
    assert_eq!(keys[1..5], [keys[0], keys[0], "mine", "mine"]);
    assert_ne!(keys[5], keys[0]);
}

#[tokio::test]
async fn the_server_says_how_long_to_wait() {
    let dates = [
        "Fri, 01 Jan 2027 12:00:30 GMT",
        "Friday, 01-Jan-27 12:00:30 GMT",
        "Fri Jan  1 12:00:30 2027",
    ];
    for text in ["30"].into_iter().chain(dates) {
        let (address, _) = failing(&[503], Some(text)).await;
        let (client, clock) = client(&address, RetryPolicy::default());
        let call = client.transactions().get_transaction(Uuid::random());
        call.await.unwrap();
        assert_eq!(clock.waits(), [Duration::from_secs(30)], "{text}");
    }
    for (text, waits) in [
        ("Fri, 01 Jan 2027 11:00:00 GMT", vec![Duration::ZERO]),
        ("61", vec![]),
        ("9".repeat(40).leak(), vec![]),
    ] {
        let (address, seen) = failing(&[429], Some(text)).await;
        let (client, clock) = client(
            &address,
            RetryPolicy {
                budget: MINUTE,
                ..RetryPolicy::default()
            },
        );
        let call = client.transactions().get_transaction(Uuid::random());
        assert_eq!(call.await.is_ok(), !waits.is_empty(), "{text}");
        assert_eq!(seen.lock().unwrap().len(), waits.len() + 1);
        assert_eq!(clock.waits(), waits, "{text}");
    }
    let (address, _) = failing(&[503], Some("soon")).await;
    let (client, clock) = client(&address, RetryPolicy::default());
    let call = client.transactions().get_transaction(Uuid::random());
    call.await.unwrap();
    assert!(clock.passed() <= RetryPolicy::default().base);
}

#[tokio::test]
async fn a_connection_that_fails_is_tried_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (client, clock) = client(&address, RetryPolicy::attempts(4));
    let call = tokio::spawn(
        client
            .transactions()
            .get_transaction(Uuid::random())
            .into_future(),
    );
    for _ in 0..4 {
        drop(listener.accept().await.unwrap());
    }
    let error = call.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Transport(_)), "{error}");
    assert_eq!(clock.waits().len(), 3);

    let (client, clock) = self::client("http://127.0.0.1:1", RetryPolicy::attempts(3));
    let call = client.files().add_note("1", &note());
    assert!(matches!(call.await, Err(Error::Transport(_))));
    assert_eq!(clock.waits().len(), 2);
}
