//! Subscriptions. A removed subscription stays in the table for its transactions.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::page::{self, BY_CREATION};
use super::{Tenant, details};
use crate::details::TransactionDetails;
use crate::domain::page::Page;
use crate::domain::subscription::{Status, Subscription};
use crate::values;

/// A subscription with its payment source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of times it was written.
    pub version: i64,
    /// Its state.
    pub subscription: Subscription,
    /// Its payment source.
    pub source: Source,
}

impl Record {
    /// The same record with another state.
    #[must_use]
    pub fn with(&self, subscription: &Subscription) -> Self {
        Self {
            subscription: subscription.clone(),
            ..self.clone()
        }
    }
}

/// The payment source of a subscription, which never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The customer's e-mail address.
    pub email: Option<String>,
    /// The merchant's id of the first purchase.
    pub external_id: String,
    /// The channel.
    pub payment_channel: Option<String>,
    /// The id of the charged source, such as a saved card.
    pub id: Uuid,
    /// The requested script of the charges' outcomes.
    pub outcomes: Option<String>,
    /// Descriptive fields of the charges, a JSON object.
    pub details: Box<TransactionDetails>,
}

/// The filter of a list of subscriptions; an absent field matches everything.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The status.
    pub status: Option<String>,
    /// The plan.
    pub plan: Option<Uuid>,
    /// The customer.
    pub customer: Option<Uuid>,
}

/// A customer who has subscriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// The customer.
    pub id: Uuid,
    /// The e-mail address in the latest subscription.
    pub email: Option<String>,
    /// The number of subscriptions.
    pub subscriptions: i64,
    /// When the first one was created.
    pub created_at: Timestamp,
}

/// The condition of both lists. It excludes subscriptions whose first purchase is not accepted.
const FILTER: &str = "tenant_id = $1 AND deleted_at IS NULL AND status <> 'ordered'
    AND (status = $2 OR $2 IS NULL) AND (plan_id = $3 OR $3 IS NULL)
    AND (customer_id = $4 OR $4 IS NULL)";

/// Adds a subscription.
pub fn insert(connection: &Connection, tenant: Tenant, record: &Record) -> Result<(), StoreError> {
    let Record {
        subscription,
        source,
        ..
    } = record;
    connection.execute(
        "INSERT INTO subscriptions (tenant_id, id, version, plan_id, customer_id,
             first_transaction_id, status, start_day, paid, remaining, declines, attempts, charging,
             email, external_id, payment_channel, payment_source_id, outcomes, details, created_at,
             updated_at)
         VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
             $19, $20)",
        values![
            tenant,
            subscription.id,
            subscription.plan,
            subscription.customer,
            subscription.first_transaction,
            subscription.status.name(),
            subscription.start.to_string(),
            subscription.paid,
            subscription.remaining,
            subscription.declines,
            subscription.attempts,
            subscription.charging,
            &source.email,
            &source.external_id,
            &source.payment_channel,
            source.id,
            &source.outcomes,
            details::text(&source.details)?,
            subscription.created_at,
            subscription.updated_at
        ],
    )?;
    Ok(())
}

/// The subscription with that id, unless it is removed. Its first purchase may not be accepted yet.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Option<Record>, StoreError> {
    connection.find(
        "SELECT * FROM subscriptions WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL",
        values![tenant, id],
        read,
    )
}

/// Writes the changeable columns; fails when another write changed the row meanwhile.
pub fn update(
    connection: &Connection,
    tenant: Tenant,
    before: &Record,
    after: &Subscription,
) -> Result<(), StoreError> {
    connection.write_one(
        "UPDATE subscriptions SET version = version + 1, status = $4, start_day = $5, end_day = $6,
             paid = $7, remaining = $8, next_charge = $9, next_attempt = $10, declines = $11,
             attempts = $12, charging = $13, cancel_reason = $14, updated_at = $15
         WHERE tenant_id = $1 AND id = $2 AND version = $3",
        values![
            tenant,
            after.id,
            before.version,
            after.status.name(),
            after.start.to_string(),
            after.end.map(|day| day.to_string()),
            after.paid,
            after.remaining,
            after.next_charge.map(|day| day.to_string()),
            after.next_attempt.map(|day| day.to_string()),
            after.declines,
            after.attempts,
            after.charging,
            &after.cancel_reason,
            after.updated_at
        ],
    )
}

/// Removes a subscription.
pub fn remove(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE subscriptions SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2",
        values![tenant, id, now],
    )?;
    Ok(())
}

/// The subscriptions to a plan that have begun and not ended.
pub fn live_of(
    connection: &Connection,
    tenant: Tenant,
    plan: Uuid,
) -> Result<Vec<Record>, StoreError> {
    connection.all(
        "SELECT * FROM subscriptions
         WHERE tenant_id = $1 AND plan_id = $2 AND deleted_at IS NULL
             AND status IN ('trial', 'active')
         ORDER BY created_at, id",
        values![tenant, plan],
        read,
    )
}

/// A page of the subscriptions that match the filter.
pub fn page(
    connection: &Connection,
    tenant: Tenant,
    filter: &Filter,
    page: &Page,
) -> Result<Vec<Record>, StoreError> {
    let query = format!("SELECT * FROM subscriptions WHERE {FILTER}");
    let values = values![tenant, &filter.status, filter.plan, filter.customer];
    page::read(connection, &query, values, (page, BY_CREATION, "id"), read)
}

/// A page of the customers whose subscriptions match the filter.
pub fn subscribers(
    connection: &Connection,
    tenant: Tenant,
    filter: &Filter,
    page: &Page,
) -> Result<Vec<Subscriber>, StoreError> {
    let query = format!(
        "SELECT c.id, c.count, c.created_at, (
             SELECT s.email FROM subscriptions s
             WHERE s.tenant_id = $1 AND s.customer_id = c.id AND s.deleted_at IS NULL
             ORDER BY s.created_at DESC, s.id DESC LIMIT 1) AS email
         FROM (SELECT customer_id AS id, count(*) AS count, min(created_at) AS created_at
             FROM subscriptions WHERE {FILTER} GROUP BY customer_id) AS c"
    );
    let values = values![tenant, &filter.status, filter.plan, filter.customer];
    let order = (page, BY_CREATION, "id");
    page::read(connection, &query, values, order, |row| {
        Ok(Subscriber {
            id: row.get("id")?,
            email: row.get("email")?,
            subscriptions: row.get("count")?,
            created_at: row.get("created_at")?,
        })
    })
}

fn read(row: &Row<'_>) -> Result<Record, StoreError> {
    let status: String = row.get("status")?;
    let subscription = Subscription {
        id: row.get("id")?,
        plan: row.get("plan_id")?,
        customer: row.get("customer_id")?,
        first_transaction: row.get("first_transaction_id")?,
        status: Status::from_name(&status).ok_or(StoreError::Corrupt("status"))?,
        start: row.parsed("start_day")?,
        end: row.optional("end_day")?,
        paid: row.get("paid")?,
        remaining: row.get("remaining")?,
        next_charge: row.optional("next_charge")?,
        next_attempt: row.optional("next_attempt")?,
        declines: row.get("declines")?,
        attempts: row.get("attempts")?,
        charging: row.get("charging")?,
        cancel_reason: row.get("cancel_reason")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    };
    let source = Source {
        email: row.get("email")?,
        external_id: row.get("external_id")?,
        payment_channel: row.get("payment_channel")?,
        id: row.get("payment_source_id")?,
        outcomes: row.get("outcomes")?,
        details: details::read(row, "subscriptions")?,
    };
    Ok(Record {
        version: row.get("version")?,
        subscription,
        source,
    })
}
