//! A sandbox in memory, spoken to over HTTP and looked into from behind.

use reqwest::{Client, Method};
use sandbox::domain::currency::Currency;
use sandbox::seed;
use sandbox::service::{Target, View};
use sandbox::store::{self, Collection, Connection, Merchant, StoreError, audit};
use sandbox::{Sandbox, Spawned};
use serde_json::{Value, json};

use super::model::Sort;
use crate::process::{Reply, plain_client, reply};

/// The sandbox, and whose records are looked at.
pub(super) struct World {
    pub(super) spawned: Spawned,
    pub(super) merchant: Merchant,
    client: Client,
}

impl World {
    pub(super) async fn new() -> Self {
        let spawned = Sandbox::spawn().await.unwrap();
        let service = &spawned.sandbox.service;
        let merchant = service.merchant(seed::MERCHANT).await.unwrap();
        Self {
            merchant,
            spawned,
            client: plain_client(),
        }
    }

    /// Sends a command, with what the provider is to answer.
    pub(super) async fn post(&self, path: &str, outcome: &str, body: &Value) -> Reply {
        let request = self.request(Method::POST, path);
        reply(request.header("sandbox-outcome", outcome).json(body)).await
    }

    pub(super) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self
            .client
            .request(method, format!("{}{path}", self.spawned.url));
        request.header("authorization", self.spawned.api_key)
    }

    /// A transaction as the interface shows it.
    pub(super) async fn read(&self, sort: Sort, id: &str) -> Value {
        let path = format!("{}/{id}", root(sort));
        let found = reply(self.request(Method::GET, &path)).await;
        assert_eq!(found.status, 200, "{found:?}");
        found.body
    }

    /// A transaction as the rules see it.
    pub(super) async fn view(&self, sort: Sort, id: &str) -> View {
        let collection = match sort {
            Sort::Purchase | Sort::Refund => Collection::Transactions,
            Sort::Payout => Collection::Payouts,
        };
        let (service, target) = (
            &self.spawned.sandbox.service,
            Target::Id(id.parse().unwrap()),
        );
        service
            .find(self.merchant, collection, target)
            .await
            .unwrap()
    }

    /// Every row of every table.
    pub(super) async fn rows(&self) -> Vec<String> {
        let store = self.spawned.sandbox.service.store();
        let rows: Result<_, StoreError> = store.read(dump).await;
        rows.unwrap()
    }

    /// What the merchant can dispose of, in cents.
    pub(super) async fn balance(&self) -> i64 {
        let service = &self.spawned.sandbox.service;
        let balance = service.command(self.merchant, |work| {
            let euro = Currency::parse("EUR").unwrap();
            Ok(store::available(work.connection, work.tenant, euro)?)
        });
        balance.await.unwrap()
    }

    /// The books have to be right, whatever happened.
    pub(super) async fn audit(&self) {
        let store = self.spawned.sandbox.service.store();
        let findings: Result<_, StoreError> = store.read(audit::audit).await;
        assert_eq!(findings.unwrap(), []);
    }
}

/// The path of a collection.
pub(super) const fn root(sort: Sort) -> &'static str {
    match sort {
        Sort::Purchase | Sort::Refund => "/v1/transactions",
        Sort::Payout => "/v1/payouts",
    }
}

/// A body that makes a transaction.
pub(super) fn making(key: &str, amount: &str) -> Value {
    json!({"merchantTransactionId": key, "amount": amount, "currency": "EUR"})
}

/// A body that makes a payout.
pub(super) fn paying_out(key: &str, amount: &str, channel: &str) -> Value {
    let mut body = making(key, amount);
    body["paymentChannel"] = json!(channel);
    body["customer"] = json!({"firstName": "Ada"});
    body["paymentSpecificData"] = json!({"destinationCurrency": "BTC"});
    body
}

/// The id of what was made.
pub(super) fn made(reply: &Reply) -> String {
    assert_eq!(reply.status, 201, "{reply:?}");
    reply.body["id"].as_str().unwrap().to_owned()
}

fn dump(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let tables: Vec<String> = connection.all(tables, &[], |row| row.at(0))?;
    let mut rows = Vec::new();
    for table in tables {
        let columns = format!("SELECT 'quote(' || name || ')' FROM pragma_table_info('{table}')");
        let columns: Vec<String> = connection.all(&columns, &[], |row| row.at(0))?;
        let columns = columns.join(" || ', ' || ");
        let all = format!("SELECT '{table}: ' || {columns} AS line FROM {table} ORDER BY line");
        rows.extend(connection.all(&all, &[], |row| row.at::<String>(0))?);
    }
    Ok(rows)
}
