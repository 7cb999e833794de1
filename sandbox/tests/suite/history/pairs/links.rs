//! Payment links, which customers pay on their page.

use reqwest::Method;
use sandbox::service::timer_kind::Kind;
use serde_json::{Value, json};

use super::transactions::{get, plant};
use super::{CONFLICT, Driver, Refusal, Subject};
use crate::history::world::{World, made};
use crate::process::{Reply, reply};

const LINKS: &str = "/v1/payment-links";
/// Longer than the lifetime of a link.
const LONG: &str = "P31D";

/// Links of 49.90.
pub(super) struct Links;

impl Driver for Links {
    const TABLE: &'static str = "payment_links";

    async fn bring(&self, world: &World, state: &str, event: &str) -> Subject {
        let wish = json!({
            "merchantTransactionId": "order",
            "amount": {"currency": "EUR", "value": 49.90},
            "items": [{"name": "Green tea", "price": 24.95, "quantity": 2}],
        });
        let link = world.post(LINKS, "accept", &wish).await;
        let subject = Subject {
            id: made(&link),
            more: json!({"url": link.body["url"], "nonce": nonce(world, &link.body).await}),
        };
        let answered = matches!(event, "Accept" | "Fail");
        // A failed purchase, whose provider may answer once more.
        if answered && matches!(state, "active" | "expired" | "cancelled") {
            pay(world, &subject, "reject").await;
        }
        match state {
            "processing" => {
                let outcome = match event {
                    "Accept" => "pending;after=PT1H",
                    "Fail" => "pending;after=PT1H;then=reject",
                    _ => "pending",
                };
                pay(world, &subject, outcome).await;
            }
            "paid" => drop(pay(world, &subject, "accept").await),
            "expired" => world.pass(LONG).await,
            "cancelled" => drop(change(world, &subject, "Cancel").await),
            _ => {}
        }
        if answered && state != "processing" {
            answer_again(world, event).await;
        }
        if event == "Pay" {
            script(world, "pending").await;
        }
        if event == "Expire" && matches!(state, "expired" | "cancelled") {
            world.plant(Kind::PaymentLink, &subject.id).await;
        }
        subject
    }

    async fn state(&self, world: &World, subject: &Subject) -> String {
        let found = get(world, &format!("{LINKS}/{}", subject.id)).await;
        found.body["status"].as_str().unwrap().to_owned()
    }

    async fn attempt(&self, world: &World, subject: &Subject, event: &str) -> Option<Reply> {
        match event {
            "Update" | "Cancel" => Some(change(world, subject, event).await),
            "Pay" => Some(send(world, subject).await),
            "Expire" => {
                world.pass(LONG).await;
                None
            }
            _ => {
                world.pass("PT2H").await;
                None
            }
        }
    }

    fn refusal(&self, state: &str, event: &str) -> Refusal {
        match (state, event) {
            (_, "Update" | "Cancel") => CONFLICT,
            (_, "Pay") => Refusal::Page(409),
            // It expires as soon as its purchase fails.
            ("processing", "Expire") => Refusal::Deferred,
            _ => Refusal::Ignored,
        }
    }
}

/// The nonce in a link's form.
async fn nonce(world: &World, link: &Value) -> String {
    let page = world.client.get(link["url"].as_str().unwrap());
    let page = page.send().await.unwrap().text().await.unwrap();
    let (_, rest) = page.split_once(r#"name="nonce" value=""#).unwrap();
    rest.split('"').next().unwrap().to_owned()
}

/// Pays as the customer, with this outcome.
async fn pay(world: &World, subject: &Subject, outcome: &str) -> Reply {
    script(world, outcome).await;
    send(world, subject).await
}

async fn script(world: &World, outcome: &str) {
    let line = json!({"outcome": outcome});
    world.post_control("/scenarios", &line).await;
}

/// Sends the form of the page.
async fn send(world: &World, subject: &Subject) -> Reply {
    let nonce = subject.more["nonce"].as_str().unwrap();
    let card = "number=4242424242424242&expiry=12%2F40&code=123";
    let form = format!("nonce={nonce}&decision=pay&{card}");
    let page = world.client.post(subject.more["url"].as_str().unwrap());
    let answer = page.body(form).send().await.unwrap();
    Reply {
        status: answer.status().as_u16(),
        headers: answer.headers().clone(),
        body: Value::Null,
    }
}

async fn change(world: &World, subject: &Subject, event: &str) -> Reply {
    let body = match event {
        "Cancel" => json!({"status": "cancelled"}),
        _ => json!({"expirationDate": "2199-01-01T00:00:00.000Z"}),
    };
    let path = format!("{LINKS}/{}", subject.id);
    reply(world.request(Method::PATCH, &path).json(&body)).await
}

/// Lets the provider answer the purchase of the link a second time.
async fn answer_again(world: &World, event: &str) {
    let purchase = get(world, "/v1/transactions/merchant/order").await;
    let event = if event == "Fail" { "Reject" } else { event };
    plant(world, purchase.body["id"].as_str().unwrap(), event).await;
}
