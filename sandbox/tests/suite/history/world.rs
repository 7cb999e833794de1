//! An isolated sandbox with access over HTTP and to its database.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use reqwest::{Client, Method};
use sandbox::domain::currency::Currency;
use sandbox::render::View;
use sandbox::seed;
use sandbox::service::timer_kind::Kind;
use sandbox::service::{Service, Target};
use sandbox::store::{self, Collection, Connection, Merchant, StoreError, audit};
use sandbox::{Sandbox, Settings};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::model::Sort;
use crate::databases::Fresh;
use crate::process::{Reply, plain_client, reply};

/// The sandbox, and the merchant whose records are observed.
pub(super) struct World {
    pub(super) service: Arc<Service>,
    pub(super) merchant: Merchant,
    pub(super) client: Client,
    url: String,
    serving: JoinHandle<std::io::Result<()>>,
    /// Keeps the database alive.
    fresh: Fresh,
}

impl Drop for World {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl World {
    /// In memory.
    pub(super) async fn new() -> Self {
        Self::on(Fresh::Memory).await
    }

    /// On a database.
    pub(super) async fn on(fresh: Fresh) -> Self {
        let sandbox = Sandbox::open(Settings::new(fresh.database())).await;
        let sandbox = sandbox.unwrap();
        let service = Arc::clone(&sandbox.service);
        let merchant = service.merchant(seed::MERCHANT).await.unwrap();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = listener.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let minute = Duration::from_mins(1);
        let serving = tokio::spawn(sandbox.serve(listener, minute, std::future::pending()));
        Self {
            service,
            merchant,
            client: plain_client(),
            url,
            serving,
            fresh,
        }
    }

    /// Sends a command with a requested outcome.
    pub(super) async fn post(&self, path: &str, outcome: &str, body: &Value) -> Reply {
        let request = self.request(Method::POST, path);
        reply(request.header("sandbox-outcome", outcome).json(body)).await
    }

    pub(super) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        request.header("authorization", seed::DEFAULT_KEY)
    }

    /// Sends a command to the control interface, which has to succeed.
    pub(super) async fn post_control(&self, path: &str, body: &Value) -> Reply {
        let url = format!("{}/_sandbox{path}", self.url);
        let request = self.client.post(url).json(body);
        let reply = reply(request.header("authorization", seed::DEFAULT_ADMIN_KEY)).await;
        assert!(reply.status < 300, "{path}: {reply:?}");
        reply
    }

    /// Moves the clock forward.
    pub(super) async fn pass(&self, by: &str) {
        self.post_control("/clock/advance", &json!({"by": by}))
            .await;
    }

    /// Reads a path of the control interface.
    pub(super) async fn read_control(&self, path: &str) -> Value {
        let url = format!("{}/_sandbox{path}", self.url);
        let request = self.client.get(url);
        reply(request.header("authorization", seed::DEFAULT_ADMIN_KEY))
            .await
            .body
    }

    /// Resets the tenant.
    pub(super) async fn reset(&self) {
        self.post_control("/reset", &Value::Null).await;
    }

    /// Sets a timer that nothing expects.
    pub(super) async fn plant(&self, kind: Kind, subject: &str) {
        let subject = subject.to_owned();
        let planted = self.service.command(self.merchant, move |work| {
            let due_at = work.now + SignedDuration::from_mins(30);
            work.schedule(kind, &subject, Some(due_at))
        });
        planted.await.unwrap();
    }

    /// A transaction as the interface shows it.
    pub(super) async fn read(&self, sort: Sort, id: &str) -> Value {
        let path = format!("{}/{id}", root(sort));
        let found = reply(self.request(Method::GET, &path)).await;
        assert_eq!(found.status, 200, "{found:?}");
        found.body
    }

    /// A transaction as the domain sees it.
    pub(super) async fn view(&self, sort: Sort, id: &str) -> View {
        let collection = match sort {
            Sort::Purchase | Sort::Refund => Collection::Transactions,
            Sort::Payout => Collection::Payouts,
        };
        let target = Target::Id(id.parse().unwrap());
        let found = self.service.find(self.merchant, collection, target);
        found.await.unwrap()
    }

    /// Every row of every table.
    pub(super) async fn rows(&self) -> Vec<String> {
        let dump = match self.fresh {
            Fresh::Postgres { .. } => dump_of_postgres,
            Fresh::File(_) | Fresh::Memory => dump,
        };
        let rows: Result<_, StoreError> = self.service.store().read(dump).await;
        rows.unwrap()
    }

    /// The available balance, in cents.
    pub(super) async fn balance(&self) -> i64 {
        let balance = self.service.command(self.merchant, |work| {
            let euro = Currency::parse("EUR").unwrap();
            Ok(store::available(work.connection, work.tenant, euro)?)
        });
        balance.await.unwrap()
    }

    /// Checks that the audit finds nothing.
    pub(super) async fn audit(&self) {
        let findings: Result<_, StoreError> = self.service.store().read(audit::audit).await;
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

/// A body that creates a transaction.
pub(super) fn making(key: &str, amount: &str) -> Value {
    json!({"merchantTransactionId": key, "amount": amount, "currency": "EUR"})
}

/// A body that creates a payout.
pub(super) fn paying_out(key: &str, amount: &str, channel: &str) -> Value {
    let mut body = making(key, amount);
    body["paymentChannel"] = json!(channel);
    body["customer"] = json!({"firstName": "Ada"});
    body["paymentSpecificData"] = json!({"destinationCurrency": "BTC"});
    body
}

/// The id of the created record.
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

fn dump_of_postgres(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let tables = "SELECT table_name::text FROM information_schema.tables
        WHERE table_schema = current_schema() ORDER BY table_name";
    let tables: Vec<String> = connection.all(tables, &[], |row| row.at(0))?;
    let mut rows = Vec::new();
    for table in tables {
        let all = format!("SELECT '{table}: ' || t::text AS line FROM {table} t ORDER BY line");
        rows.extend(connection.all(&all, &[], |row| row.at::<String>(0))?);
    }
    Ok(rows)
}
