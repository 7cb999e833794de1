//! The pages: what they show, and which requests they refuse.

mod hostile;
mod inspector;
mod link;
mod payment;
mod reference;
mod start;
mod visits;

use reqwest::{Client, redirect};
use serde_json::{Value, json};

use crate::process::{Process, purchase};

/// A page or a redirect.
#[derive(Debug)]
struct Answer {
    status: u16,
    location: Option<String>,
    cookie: Option<String>,
    policy: String,
    text: String,
}

/// A client that follows no redirects.
fn browser() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().redirect(redirect::Policy::none());
    client.tls_certs_only([]).build().unwrap()
}

async fn answer(request: reqwest::RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let header = |name: &str| {
        let value = response.headers().get(name)?;
        Some(value.to_str().unwrap().to_owned())
    };
    Answer {
        status: response.status().as_u16(),
        location: header("location"),
        cookie: header("set-cookie"),
        policy: header("content-security-policy").unwrap_or_default(),
        text: response.text().await.unwrap(),
    }
}

/// The nonce of a form.
fn nonce(page: &str) -> String {
    let (_, rest) = page.split_once(r#"name="nonce" value=""#).unwrap();
    rest.split('"').next().unwrap().to_owned()
}

impl Process {
    /// Creates a purchase whose customer has to answer a challenge, and returns it.
    pub(crate) async fn asked(&self, key: &str, return_to: Option<&str>) -> Value {
        let mut order = purchase(key, "3ds");
        order["items"] = json!([
            {"name": "Green <b>tea</b>", "price": "10.00", "quantity": 1},
            {"name": "w".repeat(99), "price": "0.00"},
        ]);
        if let Some(address) = return_to {
            order["paymentSpecificData"] = json!({"returnVerifyUrl": address});
        }
        let made = self.post("/v1/transactions", &order).await;
        assert_eq!(
            (made.status, &made.body["status"]),
            (201, &json!("PENDING")),
            "{made:?}"
        );
        made.body
    }

    /// The status of a purchase.
    pub(crate) async fn status(&self, key: &str) -> Value {
        let path = format!("/v1/transactions/merchant/{key}");
        self.get(&path).await.body["status"].clone()
    }
}
