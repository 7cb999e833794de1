//! Notifications in the control interface: shown and sent again.

use reqwest::Method;
use serde_json::{Value, json};

use super::refusal;
use crate::process::{DEADLINE, Process, purchase, reply};

/// An address on this machine without a listener.
const NOBODY: &str = "http://127.0.0.1:9/notifications";

impl Process {
    /// Creates a purchase whose receiver does not exist, and waits for the first attempt.
    async fn notified_in_vain(&self) -> Value {
        let mut order = purchase("order-1", "accept");
        order["customIpnUrl"] = json!(NOBODY);
        assert_eq!(self.post("/v1/transactions", &order).await.status, 201);
        self.attempts(1).await
    }

    /// The only notification, after this number of attempts.
    pub(crate) async fn attempts(&self, count: usize) -> Value {
        let begun = std::time::Instant::now();
        loop {
            let told = self.read_control("/webhooks").await.body["data"][0].clone();
            if told["attempts"]
                .as_array()
                .is_some_and(|all| all.len() >= count)
            {
                return told;
            }
            assert!(begun.elapsed() < DEADLINE, "{told}");
        }
    }
}

#[tokio::test]
async fn a_notification_is_shown_with_its_attempts_and_sent_again() {
    let sandbox = Process::start();
    let told = sandbox.notified_in_vain().await;
    assert_eq!(
        (&told["type"], &told["state"]),
        (&json!("purchase.accepted"), &json!("waiting"))
    );
    assert_eq!(told["url"], NOBODY);
    assert_eq!(told["attempts"][0]["failure"], "unreachable");
    assert!(told["nextAttemptAt"].is_string(), "{told}");
    let body: Value = serde_json::from_str(told["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["data"]["merchantTransactionId"], "order-1");
    let path = format!("/webhooks/{}/replay", told["id"].as_str().unwrap());
    assert_eq!(sandbox.post_control_empty(&path).await.status, 202);
    let again = sandbox.attempts(2).await;
    assert_eq!(again["id"], told["id"]);
    let of = |id: &str| format!("/webhooks?transactionId={id}");
    let mine = sandbox
        .read_control(&of(told["transactionId"].as_str().unwrap()))
        .await
        .body;
    assert_eq!(mine["data"].as_array().unwrap().len(), 1);
    let others = sandbox
        .read_control(&of("019a9d1e-7c50-7b3e-9a53-2f4b8a1c6d10"))
        .await
        .body;
    assert_eq!(others, json!({"data": []}));
    let text = sandbox.client.get(format!("{}/metrics", sandbox.url));
    let text = text.send().await.unwrap().text().await.unwrap();
    assert!(
        text.contains(r#"sandbox_notifications_total{result="unreachable"}"#),
        "{text}"
    );
}

#[tokio::test]
async fn an_unknown_notification_is_refused() {
    let sandbox = Process::start();
    let unknown = "/webhooks/019a9d1e-7c50-7b3e-9a53-2f4b8a1c6d10/replay";
    assert_eq!(refusal(&sandbox.post_control_empty(unknown).await).0, 404);
    let unreadable = sandbox.post_control_empty("/webhooks/first/replay").await;
    assert_eq!(refusal(&unreadable).0, 400);
    for (query, status) in [
        ("transactionId=x", 400),
        ("limit=0", 422),
        ("tenant=nobody", 404),
    ] {
        let refused = sandbox.read_control(&format!("/webhooks?{query}")).await;
        assert_eq!(refusal(&refused).0, status, "{query}");
    }
}

#[tokio::test]
async fn faults_of_notifications_are_replaced_together() {
    let sandbox = Process::start();
    let put = |body: Value| reply(sandbox.admin(Method::PUT, "/webhooks/faults").json(&body));
    let set = put(json!({"duplicated": 10, "dropped": 5})).await;
    let expected = json!({"duplicated": 10, "reordered": 0, "dropped": 5});
    assert_eq!((set.status, &set.body), (200, &expected));
    assert_eq!(
        sandbox.read_control("/webhooks/faults").await.body,
        expected
    );
    let refused = put(json!({"reordered": 101})).await;
    assert_eq!(
        refusal(&refused),
        (422, "E1001".to_owned(), vec!["/reordered".to_owned()])
    );
    assert_eq!(put(json!({"lost": 1})).await.status, 422);
    assert_eq!(
        sandbox.read_control("/webhooks/faults").await.body,
        expected
    );
}

#[tokio::test]
async fn the_signing_secret_is_shown_and_replaced() {
    let sandbox = Process::start();
    let first = sandbox.read_control("/webhooks/secrets").await.body;
    let drawn = first["data"][0].as_str().unwrap().to_owned();
    assert!(drawn.starts_with("whsec_"), "{first}");
    let put = |body: Value| reply(sandbox.admin(Method::PUT, "/webhooks/secrets").json(&body));
    let mine = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";
    assert_eq!(put(json!({"secret": mine})).await.status, 204);
    // The old secret keeps signing for a while, so that receivers can switch.
    let both = sandbox.read_control("/webhooks/secrets").await.body;
    assert_eq!(both["data"], json!([mine, drawn]));
    for wrong in ["whsec_c2hvcnQ=", "secret", ""] {
        let refused = put(json!({"secret": wrong})).await;
        assert_eq!(
            refusal(&refused),
            (422, "E1001".to_owned(), vec!["/secret".to_owned()])
        );
    }
    assert_eq!(sandbox.read_control("/webhooks/secrets").await.body, both);
}
