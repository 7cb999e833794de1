//! Notifications, with a receiver that answers as requested.

use sandbox::domain::notification::ATTEMPTS;
use sandbox::service::timer_kind::Kind;
use serde_json::{Value, json};

use super::{Driver, Refusal, Subject};
use crate::history::world::{World, made, making};
use crate::process::{DEADLINE, Reply};
use crate::receiver::Receiver;

/// Longer than any delay between two attempts.
const LONG: &str = "P2D";

/// Notifications of accepted purchases.
pub(super) struct Notifications;

impl Driver for Notifications {
    const TABLE: &'static str = "notifications";

    async fn bring(&self, world: &World, state: &str, event: &str) -> Subject {
        let refusals = match (state, event) {
            ("exhausted", _) => ATTEMPTS,
            ("waiting", "Exhaust") => ATTEMPTS - 1,
            ("waiting", _) => 1,
            _ => 0,
        };
        let mut answers = vec![500; usize::try_from(refusals).unwrap()];
        match state {
            "delivered" => answers.push(204),
            "gone" => answers.push(410),
            _ => {}
        }
        let before = answers.len();
        answers.extend(match event {
            "Take" => Some(204),
            "Decline" => Some(410),
            _ => Some(500),
        });
        // A replayed notification is kept in flight, so that its waiting state can be observed.
        let patience = if event == "Replay" {
            before
        } else {
            usize::MAX >> 4
        };
        let receiver = Receiver::with_patience(&answers, patience).await;
        let mut body = making("order", "10.00");
        body["customIpnUrl"] = json!(receiver.url);
        made(&world.post("/v1/transactions", "accept", &body).await);
        for count in 1..before {
            attempted(world, count).await;
            world.pass(LONG).await;
        }
        let told = attempted(world, before).await;
        let id = told["id"].as_str().unwrap().to_owned();
        if state != "waiting" {
            world.plant(Kind::Notification, &id).await;
        }
        let more = json!({"attempts": before});
        Subject { id, more }
    }

    async fn state(&self, world: &World, _subject: &Subject) -> String {
        told(world).await["state"].as_str().unwrap().to_owned()
    }

    async fn attempt(&self, world: &World, subject: &Subject, event: &str) -> Option<Reply> {
        if event == "Replay" {
            let path = format!("/webhooks/{}/replay", subject.id);
            return Some(world.post_control(&path, &Value::Null).await);
        }
        let waits = self.state(world, subject).await == "waiting";
        world.pass(LONG).await;
        if waits {
            let before = subject.more["attempts"].as_u64().unwrap();
            attempted(world, usize::try_from(before).unwrap() + 1).await;
        }
        None
    }

    fn refusal(&self, _state: &str, _event: &str) -> Refusal {
        Refusal::Ignored
    }
}

/// The only notification.
async fn told(world: &World) -> Value {
    world.read_control("/webhooks").await["data"][0].clone()
}

/// The only notification, after this number of attempts.
async fn attempted(world: &World, count: usize) -> Value {
    let begun = std::time::Instant::now();
    loop {
        let told = told(world).await;
        let attempts = told["attempts"].as_array();
        if attempts.is_some_and(|all| all.len() >= count) {
            return told;
        }
        assert!(begun.elapsed() < DEADLINE, "{told}");
    }
}
