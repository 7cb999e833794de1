//! Plans.

use reqwest::Method;
use serde_json::{Value, json};

use super::transactions::get;
use super::{Driver, Refusal, Subject, UNKNOWN};
use crate::history::world::{World, made};
use crate::process::{Reply, reply};

pub(super) const PLANS: &str = "/v1/subscriptions/plans";

/// Plans without subscriptions.
pub(super) struct Plans;

impl Driver for Plans {
    const TABLE: &'static str = "plans";

    async fn bring(&self, world: &World, state: &str, _event: &str) -> Subject {
        let id = plan(world, &json!({})).await;
        match state {
            "inactive" => drop(send(world, &id, "Deactivate").await),
            "removed" => drop(send(world, &id, "Remove").await),
            _ => {}
        }
        let more = Value::Null;
        Subject { id, more }
    }

    async fn state(&self, world: &World, subject: &Subject) -> String {
        let found = get(world, &format!("{PLANS}/{}", subject.id)).await;
        let state = match (found.status, &found.body["status"]) {
            (200, Value::Bool(true)) => "active",
            (200, Value::Bool(false)) => "inactive",
            (404, _) => "removed",
            _ => panic!("{found:?}"),
        };
        state.to_owned()
    }

    async fn attempt(&self, world: &World, subject: &Subject, event: &str) -> Option<Reply> {
        Some(send(world, &subject.id, event).await)
    }

    fn refusal(&self, _state: &str, _event: &str) -> Refusal {
        UNKNOWN
    }

    /// A repetition changes nothing, as the table notes.
    fn is_silent(&self, state: &str, event: &str) -> bool {
        matches!(
            (state, event),
            ("active", "Activate") | ("inactive", "Deactivate")
        )
    }
}

async fn send(world: &World, id: &str, event: &str) -> Reply {
    let path = format!("{PLANS}/{id}");
    let request = match event {
        "Activate" => world.request(Method::POST, &format!("{path}/activate")),
        "Deactivate" => world.request(Method::POST, &format!("{path}/deactivate")),
        "Remove" => world.request(Method::DELETE, &path),
        other => panic!("{other}"),
    };
    reply(request).await
}

/// Creates a plan of 2.50 every two days, with these additional fields.
pub(super) async fn plan(world: &World, fields: &Value) -> String {
    let product = json!({"name": "Tea club"});
    let path = "/v1/subscriptions/products";
    let product = made(&world.post(path, "accept", &product).await);
    let mut body = json!({"productId": product, "amount": "2.50", "currency": "EUR"});
    body["intervalUnit"] = json!("day");
    body["intervalCount"] = json!(2);
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    made(&world.post(PLANS, "accept", &body).await)
}
