//! The client with handwritten calls on reqwest.

use std::time::Duration;

use http::StatusCode;
use http::header::AUTHORIZATION;
use merchant_payments::models::{
    PaymentLinkPage, PaymentLinkStatus, Problem, PurchaseRequest, Transaction,
};
use reqwest::redirect::Policy;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::{KEY, TRANSACTION};
use crate::{Operation, example};

pub(crate) async fn call(operation: Operation, count: u32, url: String) -> anyhow::Result<()> {
    let client = Client::new(url)?;
    match operation {
        Operation::CreatePurchase => {
            let body = example::read("createPurchase.accepted.request")?;
            for _ in 0..count {
                client.create_purchase(&body).await?;
            }
        }
        Operation::GetTransaction => {
            let id = TRANSACTION.parse()?;
            for _ in 0..count {
                client.get_transaction(id).await?;
            }
        }
        Operation::ListPaymentLinks => {
            for _ in 0..count {
                let query = Query {
                    customer_email: Some("customer@merchant.example".to_owned()),
                    status: Some(PaymentLinkStatus::Active),
                    currency: Some("EUR".to_owned()),
                    page: Some(1),
                    items_per_page: Some(10),
                };
                client.list_payment_links(&query).await?;
            }
        }
    }
    Ok(())
}

struct Client {
    http: reqwest::Client,
    url: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Query {
    customer_email: Option<String>,
    status: Option<PaymentLinkStatus>,
    currency: Option<String>,
    page: Option<i64>,
    items_per_page: Option<i64>,
}

#[derive(Debug)]
struct Refused(StatusCode, Problem);

impl Client {
    fn new(url: String) -> anyhow::Result<Self> {
        // reqwest needs a provider; an error means that one is already installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(30))
            .redirect(Policy::none())
            .tls_certs_only([])
            .build()?;
        Ok(Self { http, url })
    }

    async fn create_purchase(&self, body: &PurchaseRequest) -> anyhow::Result<Transaction> {
        let request = self.http.post(format!("{}/v1/transactions", self.url));
        send(request.json(body)).await
    }

    async fn get_transaction(&self, id: Uuid) -> anyhow::Result<Transaction> {
        send(self.http.get(format!("{}/v1/transactions/{id}", self.url))).await
    }

    async fn list_payment_links(&self, query: &Query) -> anyhow::Result<PaymentLinkPage> {
        let request = self.http.get(format!("{}/v1/payment-links", self.url));
        send(request.query(query)).await
    }
}

async fn send<T: DeserializeOwned>(request: reqwest::RequestBuilder) -> anyhow::Result<T> {
    let request = request
        .header(AUTHORIZATION, KEY)
        .header("request-id", Uuid::new_v4().to_string());
    let response = request.send().await?;
    let status = response.status();
    let body = response.bytes().await?;
    if status.is_success() {
        return Ok(serde_json::from_slice(&body)?);
    }
    Err(Refused(status, serde_json::from_slice(&body)?).into())
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.0, self.1.title)
    }
}

impl std::error::Error for Refused {}
