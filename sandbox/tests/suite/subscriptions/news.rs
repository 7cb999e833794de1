//! Notifications about subscriptions.

use serde_json::{Value, json};
use standardwebhooks::Webhook;

use super::{SUBSCRIPTIONS, purchase};
use crate::process::{Process, id, plain_client};
use crate::receiver::{Received, Receiver};

on_both_programs! {
    charges_and_the_end_are_notified,
    a_cancellation_is_notified_once,
    a_deactivated_plan_notifies_each_subscriber,
    an_event_is_signed_sent_and_sent_again,
}

/// A fixed start of the clock, so that tests can name dates.
const START: &str = "2099-01-17";
/// An address without a receiver; notifications to it stay in the outbox.
const NOWHERE: &str = "http://127.0.0.1:9/notifications";

impl Process {
    /// A subscription with a receiver of notifications.
    async fn told_subscription(&self, fields: &Value, amount: &str, url: &str) -> Value {
        let plan = self.plan(fields).await;
        let mut body = purchase(&plan, &format!("order-{plan}"), amount);
        body["customIpnUrl"] = url.into();
        body["fraudFields"] =
            json!({"sandbox.outcome.charge": "accept,reject;code=E1006,reject;code=E1007"});
        self.subscribe(&body).await.1
    }

    /// The events of subscriptions in order, with their content.
    async fn news(&self) -> Vec<(String, Value)> {
        let told = self.read_control("/webhooks?limit=200").await;
        let all = told.body["data"].as_array().unwrap().iter().rev();
        let of_subscriptions = all.filter(|one| is_of_subscription(&one["type"]));
        of_subscriptions
            .map(|one| {
                let body: Value = serde_json::from_str(one["body"].as_str().unwrap()).unwrap();
                (one["type"].as_str().unwrap().to_owned(), body)
            })
            .collect()
    }
}

fn is_of_subscription(event: &Value) -> bool {
    event.as_str().unwrap().starts_with("subscription.")
}

fn names(news: &[(String, Value)]) -> Vec<&str> {
    news.iter().map(|(name, _)| name.as_str()).collect()
}

async fn charges_and_the_end_are_notified(sandbox: &Process) {
    sandbox.advance(START).await;
    let fields = json!({"trialPeriodDays": 14, "chargeRetry": true});
    let trial = sandbox.told_subscription(&fields, "0.00", NOWHERE).await;
    assert_eq!(trial["status"], "trial");
    assert_eq!(names(&sandbox.news().await), [""; 0]);

    sandbox.advance("2099-01-31").await;
    let news = sandbox.news().await;
    let expected = ["subscription.trial_ended", "subscription.charged"];
    assert_eq!(names(&news), expected);
    for (number, (_, body)) in (2..).zip(&news) {
        assert_eq!(body["sequence"], number, "after purchase.accepted");
        assert_eq!(body["timestamp"], "2099-01-31T00:00:00.000Z");
        assert_eq!(
            body["data"],
            sandbox.charge(&trial, 0).await.body,
            "the charge"
        );
        assert_eq!(body["subscription"], sandbox.subscription(&trial).await);
    }

    sandbox.advance("2099-02-28").await;
    let (name, failed) = sandbox.news().await.remove(2);
    assert_eq!(name, "subscription.charge_failed");
    assert_eq!(failed["data"]["rejectCode"], "E1006");
    let retry = &failed["subscription"]["nextChargeAttemptDate"];
    assert_eq!(
        (retry, &failed["subscription"]["status"]),
        (&json!("2099-03-01"), &json!("active"))
    );

    sandbox.advance("2099-03-01").await;
    let news = sandbox.news().await.split_off(3);
    let expected = ["subscription.charge_failed", "subscription.expired"];
    let mut found = names(&news);
    found.sort_unstable();
    assert_eq!(found, expected, "both at the same moment");
    for (name, body) in &news {
        assert_eq!(body["subscription"]["status"], "expired");
        assert_eq!(body["subscription"]["cancelReason"], "payment_failed");
        let is_end = name == "subscription.expired";
        let first = body["data"]["id"] == trial["firstTransactionId"];
        assert_eq!(first, is_end, "{name}");
    }
    sandbox.audit();
}

async fn a_cancellation_is_notified_once(sandbox: &Process) {
    sandbox.advance(START).await;
    let subscription = sandbox.told_subscription(&json!({}), "9.90", NOWHERE).await;
    let cancel = format!("{SUBSCRIPTIONS}/{}/cancel", id(&subscription));
    for reason in ["moved away", "changed my mind"] {
        let reply = sandbox
            .post(&cancel, &json!({"cancelReason": reason}))
            .await;
        assert_eq!(reply.status, 200, "{reply:?}");
    }
    sandbox.advance("2099-03-17").await;
    let news = sandbox.news().await;
    let expected = ["subscription.cancelled", "subscription.expired"];
    assert_eq!(names(&news), expected);
    let first = &news[0].1;
    assert_eq!(first["subscription"]["endDate"], "2099-02-17");
    assert_eq!(first["subscription"]["cancelReason"], "moved away");
    for (number, (_, body)) in (2..).zip(&news) {
        assert_eq!(body["data"]["id"], subscription["firstTransactionId"]);
        assert_eq!(body["sequence"], number);
    }
    // A removed subscription ends, too; without a receiver nothing is notified.
    let removed = sandbox.told_subscription(&json!({}), "9.90", NOWHERE).await;
    let path = format!("{SUBSCRIPTIONS}/{}", id(&removed));
    let gone = sandbox.request(reqwest::Method::DELETE, &path);
    assert_eq!(gone.send().await.unwrap().status(), 204);
    let quiet = purchase(&sandbox.plan(&json!({})).await, "quiet", "9.90");
    let (_, quiet) = sandbox.subscribe(&quiet).await;
    let cancel = format!("{SUBSCRIPTIONS}/{}/cancel", id(&quiet));
    assert_eq!(sandbox.post(&cancel, &json!({})).await.status, 200);
    let news = sandbox.news().await.split_off(2);
    assert_eq!(names(&news), ["subscription.expired"]);
    assert_eq!(news[0].1["subscription"]["id"], removed["id"]);
    sandbox.audit();
}

async fn a_deactivated_plan_notifies_each_subscriber(sandbox: &Process) {
    let one = sandbox
        .told_subscription(&json!({"trialPeriodDays": 7}), "0.00", NOWHERE)
        .await;
    let plan = one["planId"].as_str().unwrap();
    let mut body = purchase(plan, "order-2", "0.00");
    body["customIpnUrl"] = NOWHERE.into();
    sandbox.post("/v1/transactions", &body).await;
    let path = format!("/v1/subscriptions/plans/{plan}/deactivate");
    for _ in 0..2 {
        let reply = sandbox.post(&path, &json!({})).await;
        assert_eq!(reply.status, 200, "{reply:?}");
    }
    let expected = ["subscription.cancelled", "subscription.cancelled"];
    assert_eq!(names(&sandbox.news().await), expected);
    sandbox.audit();
}

async fn an_event_is_signed_sent_and_sent_again(sandbox: &Process) {
    let receiver = Receiver::answering(&[]).await;
    let subscription = sandbox
        .told_subscription(&json!({}), "9.90", &receiver.url)
        .await;
    let cancel = format!("{SUBSCRIPTIONS}/{}/cancel", id(&subscription));
    assert_eq!(sandbox.post(&cancel, &json!({})).await.status, 200);
    let of_it = |received: &[Received]| -> Vec<Received> {
        let all = received.iter();
        all.filter(|one| is_of_subscription(&one.json()["type"]))
            .cloned()
            .collect()
    };
    let received = of_it(&receiver.until(|all| of_it(all).len() == 1).await).remove(0);
    let secrets = sandbox.read_control("/webhooks/secrets").await;
    let secret = secrets.body["data"][0].as_str().unwrap();
    let webhook = Webhook::new(secret).unwrap();
    let body = received.body.as_bytes();
    assert!(webhook.verify(body, &received.headers).is_ok());

    let sent = sandbox.attempts(1).await;
    assert_eq!(sent["type"], "subscription.cancelled");
    let page = plain_client().get(&sandbox.url).send().await.unwrap();
    assert!(
        page.text()
            .await
            .unwrap()
            .contains("subscription.cancelled")
    );
    let replay = format!("/webhooks/{}/replay", id(&sent));
    let replayed = sandbox.post_control_empty(&replay).await;
    assert!((200..300).contains(&replayed.status), "{replayed:?}");
    let again = of_it(&receiver.until(|all| of_it(all).len() == 2).await).remove(1);
    assert_eq!(
        (again.header("webhook-id"), &again.body),
        (received.header("webhook-id"), &received.body)
    );
}
