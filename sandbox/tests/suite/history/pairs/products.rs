//! Products.

use reqwest::Method;
use serde_json::{Value, json};

use super::transactions::get;
use super::{Driver, Refusal, Subject, UNKNOWN};
use crate::history::world::{World, made};
use crate::process::{Reply, reply};

const PRODUCTS: &str = "/v1/subscriptions/products";

/// Products without plans.
pub(super) struct Products;

impl Driver for Products {
    const TABLE: &'static str = "products";

    async fn bring(&self, world: &World, state: &str, _event: &str) -> Subject {
        let body = json!({"name": "Tea club"});
        let id = made(&world.post(PRODUCTS, "accept", &body).await);
        if state == "removed" {
            send(world, &id, "Remove").await;
        }
        let more = Value::Null;
        Subject { id, more }
    }

    async fn state(&self, world: &World, subject: &Subject) -> String {
        let found = get(world, &format!("{PRODUCTS}/{}", subject.id)).await;
        match found.status {
            200 => found.body["status"].as_str().unwrap().to_owned(),
            404 => "removed".to_owned(),
            _ => panic!("{found:?}"),
        }
    }

    async fn attempt(&self, world: &World, subject: &Subject, event: &str) -> Option<Reply> {
        Some(send(world, &subject.id, event).await)
    }

    fn refusal(&self, _state: &str, _event: &str) -> Refusal {
        UNKNOWN
    }
}

async fn send(world: &World, id: &str, event: &str) -> Reply {
    let path = format!("{PRODUCTS}/{id}");
    let request = match event {
        "Update" => {
            let url = json!({"url": "https://shop.example/tea"});
            world.request(Method::PATCH, &path).json(&url)
        }
        "Remove" => world.request(Method::DELETE, &path),
        other => panic!("{other}"),
    };
    reply(request).await
}
