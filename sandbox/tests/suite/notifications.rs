//! Notifications to a receiver that verifies them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use reqwest::Method;
use sandbox::domain::notification::Status;
use sandbox::{Sandbox, Spawned};

use sandbox::store::Merchant;
use serde_json::{Value, json};
use standardwebhooks::Webhook;

use crate::process::{Process, Reply, plain_client, purchase, reply};
use crate::receiver::{Received, Receiver};

/// A purchase with a receiver of notifications.
pub(crate) fn told(key: &str, outcome: &str, url: &str) -> Value {
    let mut body = purchase(key, outcome);
    body["customIpnUrl"] = url.into();
    body
}

pub(crate) async fn send(sandbox: &Spawned, method: Method, path: &str, body: &Value) -> Reply {
    let request = plain_client()
        .request(method, format!("{}{path}", sandbox.url))
        .header("authorization", sandbox.api_key);
    reply(request.json(body)).await
}

async fn merchant(sandbox: &Spawned) -> Merchant {
    let service = &sandbox.sandbox.service;
    service.merchant("development").await.unwrap()
}

/// The secret with which the merchant verifies.
pub(crate) async fn secret(sandbox: &Spawned) -> String {
    let secrets = sandbox
        .sandbox
        .service
        .signing_secrets(merchant(sandbox).await);
    secrets.await.unwrap()[0].expose()
}

fn verified(secret: &str, received: &Received) -> bool {
    let webhook = Webhook::new(secret).unwrap();
    let body = received.body.as_bytes();
    webhook.verify(body, &received.headers).is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_verifies_notifications() {
    let sandbox = Sandbox::spawn().await.unwrap();
    let receiver = Receiver::answering(&[]).await;
    let body = told("order-1", "accept", &receiver.url);
    let made = send(&sandbox, Method::POST, "/v1/transactions", &body).await;
    let received = receiver
        .until(|received| !received.is_empty())
        .await
        .remove(0);
    let secret = secret(&sandbox).await;
    assert!(verified(&secret, &received));
    let tampered = Received {
        body: received.body.replace("10.00", "90.00"),
        ..received.clone()
    };
    assert!(!verified(&secret, &tampered));
    let told = received.json();
    assert_eq!(told["type"], "purchase.accepted");
    assert_eq!((&told["data"], &told["sequence"]), (&made.body, &json!(1)));
    let read = format!("/v1/transactions/{}", made.body["id"].as_str().unwrap());
    let read = send(&sandbox, Method::GET, &read, &Value::Null).await;
    assert_eq!(told["data"], read.body);
    assert_eq!(received.header("content-type"), "application/json");
}

#[tokio::test(flavor = "multi_thread")]
async fn libraries_in_other_languages_verify_it_too() {
    let sandbox = Sandbox::spawn().await.unwrap();
    let receiver = Receiver::answering(&[]).await;
    let body = told("order-1", "accept", &receiver.url);
    send(&sandbox, Method::POST, "/v1/transactions", &body).await;
    let received = receiver
        .until(|received| !received.is_empty())
        .await
        .remove(0);
    let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    let headers = names.map(|name| (name, received.header(name)));
    let headers: std::collections::BTreeMap<_, _> = headers.into_iter().collect();
    let secret = secret(&sandbox).await;
    let input = json!({"secret": secret, "headers": headers, "body": received.body});
    if prerequisites::STANDARDWEBHOOKS.is_met() {
        verify(&prerequisites::tools::python(), "verify.py", &input);
    }
    if prerequisites::STANDARDWEBHOOKS_NODE.is_met() {
        verify(Path::new("node"), "verify.cjs", &input);
    }
}

/// Verifies a notification with a script.
fn verify(program: &Path, script: &str, input: &Value) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/verification");
    let mut child = Command::new(program)
        .arg(format!("{folder}/{script}"))
        .env("NODE_PATH", prerequisites::tools::node())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.to_string().as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{script} does not verify it");
    assert_eq!(output.stdout, b"purchase.accepted\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_notification_is_retried_unchanged() {
    let sandbox = Sandbox::spawn().await.unwrap();
    let receiver = Receiver::answering(&[500]).await;
    let body = told("order-1", "accept", &receiver.url);
    send(&sandbox, Method::POST, "/v1/transactions", &body).await;
    receiver.until(|received| received.len() == 1).await;
    let merchant = merchant(&sandbox).await;
    let service = &sandbox.sandbox.service;
    // The retry is set once the answer is stored.
    let next = loop {
        let told = service
            .notifications(merchant, None, 1)
            .await
            .unwrap()
            .remove(0);
        if let Some(due_at) = told.notification.due_at {
            break due_at;
        }
        tokio::task::yield_now().await;
    };
    service.advance(merchant, next).await.unwrap();
    let received = receiver.until(|received| received.len() == 2).await;
    assert_eq!(received[0].body, received[1].body);
    assert_eq!(
        received[0].header("webhook-id"),
        received[1].header("webhook-id")
    );
    let secret = secret(&sandbox).await;
    assert!(received.iter().all(|received| verified(&secret, received)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_receiver_is_refused_at_once() {
    let sandbox = Sandbox::spawn().await.unwrap();
    for url in [
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:a9fe:a9fe]/",
        "http://2852039166/",
        "https://user:password@127.0.0.1/",
        "ftp://127.0.0.1/",
        "http://8.8.8.8/",
    ] {
        for (path, mut body) in [
            ("/v1/transactions", purchase("order-1", "accept")),
            ("/v1/payouts", payout("order-1")),
        ] {
            body["customIpnUrl"] = url.into();
            let refused = send(&sandbox, Method::POST, path, &body).await;
            assert_eq!(refused.status, 422, "{url} {path} {refused:?}");
            assert_eq!(refused.body["code"], "E1001");
            let place = &refused.body["errors"][0]["pointer"];
            assert_eq!(place, "/customIpnUrl", "{refused:?}");
            let kept = send(
                &sandbox,
                Method::GET,
                &format!("{path}/merchant/order-1"),
                &body,
            )
            .await;
            assert_eq!(kept.status, 404);
        }
    }
}

fn payout(key: &str) -> Value {
    json!({
        "merchantTransactionId": key,
        "paymentChannel": "PCL_CARD",
        "amount": "10.00",
        "currency": "EUR",
        "customer": {"firstName": "Sample"},
        "paymentSpecificData": {}
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn notifications_in_flight_arrive_before_the_sandbox_stops() {
    let sandbox = Sandbox::spawn().await.unwrap();
    let receiver = Receiver::with_patience(&[], 0).await;
    let body = told("order-1", "accept", &receiver.url);
    send(&sandbox, Method::POST, "/v1/transactions", &body).await;
    receiver.until(|received| received.len() == 1).await;
    let (merchant, service) = (merchant(&sandbox).await, sandbox.sandbox.service.clone());
    let stopping = tokio::spawn(sandbox.stop());
    receiver.answer_one();
    stopping.await.unwrap();
    let told = service.notifications(merchant, None, 1).await.unwrap();
    assert_eq!(told[0].notification.status, Status::Delivered);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_changes_are_notified_even_after_a_kill() {
    let receiver = Receiver::answering(&[]).await;
    let mut sandbox = Process::start();
    let mut acknowledged = Vec::new();
    for round in 0..3 {
        let bodies =
            (0..20).map(|number| told(&format!("order-{round}-{number}"), "accept", &receiver.url));
        let bodies: Vec<Value> = bodies.collect();
        let posts = bodies
            .iter()
            .map(|body| sandbox.post("/v1/transactions", body));
        for made in futures_util::future::join_all(posts).await {
            assert_eq!(made.status, 201, "{made:?}");
            acknowledged.push(made.body["id"].clone());
        }
        sandbox = sandbox.kill_and_restart();
    }
    let told = |received: &[Received], id: &Value| {
        received
            .iter()
            .any(|received| received.json()["data"]["id"] == *id)
    };
    receiver
        .until(|received| acknowledged.iter().all(|id| told(received, id)))
        .await;
}
