//! Products, plans and subscriptions over HTTP: each operation and each refusal.

use serde_json::{Value, json};

use crate::process::{Process, Reply, id};

mod catalogue;
mod course;
mod news;
mod refusals;

const PRODUCTS: &str = "/v1/subscriptions/products";
const PLANS: &str = "/v1/subscriptions/plans";
const SUBSCRIPTIONS: &str = "/v1/subscriptions";
const NOBODY: &str = "836efa5d-17a8-490c-afbb-5eca57ae9270";

impl Process {
    async fn product(&self) -> String {
        let made = self.post(PRODUCTS, &json!({"name": "Tea club"})).await;
        assert_eq!(made.status, 201, "{made:?}");
        id(&made.body).to_owned()
    }

    /// A plan of 9.90 EUR a month, with these additional fields.
    async fn plan(&self, fields: &Value) -> String {
        let product = self.product().await;
        let made = self.post(PLANS, &monthly(&product, fields)).await;
        assert_eq!(made.status, 201, "{made:?}");
        id(&made.body).to_owned()
    }

    /// The purchase that begins a subscription, and the subscription.
    async fn subscribe(&self, body: &Value) -> (Value, Value) {
        let made = self.post("/v1/transactions", body).await;
        assert_eq!(made.status, 201, "{made:?}");
        let plan = &body["paymentSpecificData"]["subscription"]["planId"];
        let path = format!("{SUBSCRIPTIONS}?planId={}", plan.as_str().unwrap());
        let found = self.get(&path).await.body["data"].take();
        (made.body, found[0].clone())
    }

    async fn subscription(&self, subscription: &Value) -> Value {
        let found = self
            .get(&format!("{SUBSCRIPTIONS}/{}", id(subscription)))
            .await;
        assert_eq!(found.status, 200, "{found:?}");
        found.body
    }

    /// The charge with this number.
    async fn charge(&self, subscription: &Value, number: u32) -> Reply {
        let path = format!("/v1/transactions/merchant/{}-{number}", id(subscription));
        self.get(&path).await
    }

    /// Moves the clock to the first moment of a day.
    async fn advance(&self, day: &str) {
        let to = json!({"to": format!("{day}T00:00:00.000Z")});
        let moved = self.post_control("/clock/advance", &to).await;
        assert_eq!(moved.status, 200, "{moved:?}");
    }
}

fn monthly(product: &str, fields: &Value) -> Value {
    let mut body = json!({"productId": product, "amount": "9.90", "currency": "EUR",
        "intervalUnit": "month"});
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn purchase(plan: &str, key: &str, amount: &str) -> Value {
    json!({
        "merchantTransactionId": key,
        "amount": amount,
        "currency": "EUR",
        "customer": {"email": "customer@merchant.example"},
        "fraudFields": {},
        "paymentSpecificData": {"subscription": {"planId": plan}}
    })
}

/// The status, code and first pointer of a problem.
fn refusal(reply: &Reply) -> (u16, &str, Option<&str>) {
    let code = reply.body["code"].as_str().unwrap_or_default();
    (
        reply.status,
        code,
        reply.body["errors"][0]["pointer"].as_str(),
    )
}

/// A fixed start of the clock, so that tests can name dates. The machine's clock is earlier for
/// decades.
const START: &str = "2099-01-17";
