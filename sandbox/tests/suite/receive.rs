//! Notifications to the generated receiving router.

use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use merchant_payments::client::Settings;
use merchant_payments::client::callbacks::{Callbacks as Sender, NotificationError};
use merchant_payments::models::{Notification, NotificationType};
use merchant_payments::operations::callbacks::NotificationParameters;
use merchant_payments::runtime::signature::Secrets;
use merchant_payments::server::callbacks::{NotificationResponse, receive_notification};
use merchant_payments::server::{Callbacks, Context};
use reqwest::{Method, RequestBuilder};
use sandbox::Sandbox;
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use tokio::sync::Notify;

use crate::notifications::{secret, send, told};
use crate::process::{DEADLINE, plain_client};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const ID: &str = "msg_1";

/// A merchant that keeps notifications and answers 410 to repeated ones.
#[derive(Default)]
struct Shop {
    told: Mutex<Vec<(String, Notification)>>,
    news: Notify,
}

impl Callbacks for Shop {
    async fn notification(
        &self,
        _context: Context,
        parameters: NotificationParameters,
        body: Notification,
    ) -> NotificationResponse {
        let mut told = self.told.lock().unwrap();
        if told.iter().any(|(id, _)| *id == parameters.webhook_id) {
            return NotificationResponse::Gone;
        }
        told.push((parameters.webhook_id, body));
        self.news.notify_one();
        NotificationResponse::Success(204)
    }
}

impl Shop {
    /// A shop that receives at a new address.
    async fn open(secrets: Secrets) -> (Arc<Self>, String) {
        let shop = Arc::new(Self::default());
        let router = receive_notification("/any/path", &shop, secrets).into_router();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/any/path", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        (shop, url)
    }
}

fn secrets(texts: &[&str]) -> Secrets {
    let first = Secrets::new(texts[0]).unwrap();
    let with = |secrets: Secrets, text: &&str| secrets.and(text).unwrap();
    texts[1..].iter().fold(first, with)
}

/// A documented notification.
fn body() -> Value {
    let document: Value =
        serde_json::from_str(include_str!("../../../generated/openapi.json")).unwrap();
    document["components"]["examples"]["notification.purchase-accepted"]["value"].clone()
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap()
}

/// The headers that the library creates.
fn signed(secret: &str, id: &str, time: i64, body: &str) -> [(&'static str, String); 3] {
    let webhook = Webhook::new(secret).unwrap();
    let signature = webhook.sign(id, time, body.as_bytes()).unwrap();
    [
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", time.to_string()),
        ("webhook-signature", signature),
    ]
}

fn request(url: &str, headers: &[(&str, String)], body: &str) -> RequestBuilder {
    let request = plain_client().post(url).body(body.to_owned());
    let request = request.header("content-type", "application/json");
    headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, value)
    })
}

async fn status(url: &str, headers: &[(&str, String)], body: &str) -> u16 {
    let answer = request(url, headers, body).send().await.unwrap();
    answer.status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sandbox_notifies_the_generated_receiver() {
    let sandbox = Sandbox::spawn().await.unwrap();
    let (shop, url) = Shop::open(secrets(&[&secret(&sandbox).await])).await;
    let body = told("order-1", "accept", &url);
    let made = send(&sandbox, Method::POST, "/v1/transactions", &body).await;
    tokio::time::timeout(DEADLINE, shop.news.notified())
        .await
        .expect("the notification comes");
    let told = shop.told.lock().unwrap().clone();
    let [(id, notification)] = told.as_slice() else {
        panic!("received {} notifications", told.len());
    };
    assert!(id.starts_with("msg_"), "{id}");
    assert_eq!(notification.r#type, NotificationType::PurchaseAccepted);
    assert_eq!(notification.sequence, 1);
    let data = serde_json::to_value(&notification.data).unwrap();
    assert_eq!(data, made.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_notifications_are_accepted_and_altered_ones_are_refused() {
    let (shop, url) = Shop::open(secrets(&[SECRET])).await;
    let text = body().to_string();
    let good = signed(SECRET, ID, now(), &text);
    assert_eq!(status(&url, &good, &text).await, 204);
    // The application decides about a repeated id.
    assert_eq!(status(&url, &good, &text).await, 410);
    let altered = text.replace("ACCEPTED", "REJECTED");
    assert_ne!(altered, text);
    let mut other_id = good.clone();
    other_id[0].1 = "msg_2".to_owned();
    let mut other_time = good.clone();
    other_time[1].1 = (now() - 1).to_string();
    let late = signed(SECRET, ID, now() - 301, &text);
    let early = signed(SECRET, ID, now() + 310, &text);
    let stranger = signed(OTHER, ID, now(), &text);
    let cases = [
        ("an altered body", &good[..], altered.as_str()),
        ("another id", &other_id[..], text.as_str()),
        ("another time", &other_time[..], text.as_str()),
        ("too late", &late[..], text.as_str()),
        ("too early", &early[..], text.as_str()),
        ("another secret", &stranger[..], text.as_str()),
        ("no signature", &good[..2], text.as_str()),
        ("no JSON and no headers", &[][..], "{"),
    ];
    for (what, headers, text) in cases {
        assert_eq!(status(&url, headers, text).await, 403, "{what}");
    }
    assert_eq!(shop.told.lock().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn during_a_rotation_either_side_can_switch_first() {
    let text = body().to_string();
    let (_, url) = Shop::open(secrets(&[OTHER, SECRET])).await;
    assert_eq!(
        status(&url, &signed(SECRET, ID, now(), &text), &text).await,
        204
    );
    let (_, url) = Shop::open(secrets(&[SECRET])).await;
    let time = now();
    let [_, _, (_, own)] = signed(SECRET, ID, time, &text);
    let mut several = signed(OTHER, ID, time, &text);
    several[2].1 = format!("v1a,{own} v2,AAAA {} v1,no {own}", several[2].1);
    assert_eq!(status(&url, &several, &text).await, 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_notification_has_to_match_the_contract() {
    let (_, url) = Shop::open(secrets(&[SECRET])).await;
    let mut wrong = body();
    wrong["sequence"] = 0.into();
    wrong["timestamp"] = json!("yesterday");
    let wrong = wrong.to_string();
    for (text, expected) in [("{", 400), (wrong.as_str(), 422)] {
        let headers = signed(SECRET, ID, now(), text);
        let answer = request(&url, &headers, text).send().await.unwrap();
        assert_eq!(answer.status(), expected, "{text}");
        let problem = answer.text().await.unwrap();
        let pointer = problem.contains(r#""pointer":"/timestamp""#);
        assert_eq!(pointer, expected == 422, "{problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_generated_receiver_and_the_library_accept_the_generated_sender() {
    let (shop, url) = Shop::open(secrets(&[OTHER])).await;
    let settings = Settings::anywhere().http(plain_client());
    let sender = Sender::new(settings, secrets(&[SECRET, OTHER])).unwrap();
    let notification: Notification = serde_json::from_value(body()).unwrap();
    let answer = sender.notification(&url, ID, &notification).await.unwrap();
    assert_eq!(answer.status, 204);
    assert_eq!(
        shop.told.lock().unwrap()[0],
        (ID.to_owned(), notification.clone())
    );
    let again = sender
        .notification(&url, ID, &notification)
        .await
        .unwrap_err();
    assert_eq!(again.refusal(), Some(&NotificationError::Gone));

    let receiver = crate::receiver::Receiver::answering(&[]).await;
    let told = sender.notification(&receiver.url, ID, &notification).await;
    assert_eq!(told.unwrap().status, 204);
    let received = receiver.until(|all| !all.is_empty()).await.remove(0);
    for secret in [SECRET, OTHER] {
        let webhook = Webhook::new(secret).unwrap();
        webhook
            .verify(received.body.as_bytes(), &received.headers)
            .unwrap();
    }
    let shown = format!("{sender:?}");
    assert!(
        shown.contains("redacted") && !shown.contains("MfKQ"),
        "{shown}"
    );
}

#[test]
fn the_documented_receiver_is_the_one_that_is_compiled() {
    let page = include_str!("../../../docs/notifications.md");
    let example = include_str!("../../examples/receive.rs");
    let code = page
        .split("    impl Callbacks for Shop")
        .nth(1)
        .expect("the page shows a receiver");
    let indented = |line: &&str| line.is_empty() || line.starts_with("    ");
    let shown: Vec<&str> = code.lines().skip(1).take_while(indented).collect();
    assert!(shown.len() > 10, "{shown:?}");
    for line in shown {
        let line = line.strip_prefix("    ").unwrap_or(line);
        assert!(
            example.lines().any(|own| own.trim() == line.trim()),
            "{line}"
        );
    }
}
