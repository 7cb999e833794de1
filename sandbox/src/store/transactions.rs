//! Purchases, refunds and payouts: one table, one row each.

use std::str::FromStr;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use uuid::Uuid;

use super::Tenant;
use super::error::StoreError;
use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::outcome::RejectCode;
use crate::domain::state::{Kind, Status};
use crate::domain::transaction::{Due, Planned, Transaction};

/// A transaction with what describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Whose it is.
    pub tenant: Tenant,
    /// Its state.
    pub transaction: Transaction,
    /// Descriptive fields as a JSON object: they are echoed and decide nothing.
    pub details: String,
}

/// Where the merchant's ids are unique, and where they are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// Purchases and refunds.
    Transactions,
    /// Payouts.
    Payouts,
}

impl Collection {
    /// The collection that transactions of a kind are in.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Purchase | Kind::Refund => Self::Transactions,
            Kind::Payout => Self::Payouts,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Transactions => "transactions",
            Self::Payouts => "payouts",
        }
    }
}

/// Adds a transaction.
pub fn insert(connection: &Connection, record: &Record) -> Result<(), StoreError> {
    let Record {
        tenant,
        transaction,
        details,
    } = record;
    let mut statement = connection.prepare_cached(
        "INSERT INTO transactions (id, tenant_id, collection, type, parent_id, merchant_id,
             origin_id, payment_channel, status, currency, amount, two_step, capturing, captured,
             refunding, refunded, attempts, reject_code, due_at, due_then, planned_capture,
             planned_refund, planned_renew, created_at, modified_at, details)
         VALUES (:id, :tenant_id, :collection, :type, :parent_id, :merchant_id,
             :origin_id, :payment_channel, :status, :currency, :amount, :two_step, :capturing,
             :captured, :refunding, :refunded, :attempts, :reject_code, :due_at, :due_then,
             :planned_capture, :planned_refund, :planned_renew, :created_at, :modified_at,
             :details)",
    )?;
    statement.execute(named_params! {
        ":id": text(transaction.id),
        ":tenant_id": tenant.0,
        ":collection": Collection::of(transaction.kind).name(),
        ":type": transaction.kind.wire(),
        ":parent_id": transaction.parent.map(text),
        ":merchant_id": transaction.merchant_transaction_id,
        ":origin_id": transaction.origin_merchant_transaction_id,
        ":payment_channel": transaction.payment_channel,
        ":status": transaction.status.wire(),
        ":currency": transaction.money.currency().code(),
        ":amount": transaction.money.minor(),
        ":two_step": transaction.two_step,
        ":capturing": transaction.capturing,
        ":captured": transaction.captured,
        ":refunding": transaction.refunding,
        ":refunded": transaction.refunded,
        ":attempts": transaction.attempts,
        ":reject_code": transaction.decline.as_ref().map(RejectCode::as_str),
        ":due_at": transaction.due.as_ref().map(|due| due.at.as_millisecond()),
        ":due_then": transaction.due.as_ref().map(|due| due.then.to_string()),
        ":planned_capture": transaction.planned.capture.as_ref().map(ToString::to_string),
        ":planned_refund": transaction.planned.refund.as_ref().map(ToString::to_string),
        ":planned_renew": transaction.planned.renew.as_ref().map(ToString::to_string),
        ":created_at": transaction.created_at.as_millisecond(),
        ":modified_at": transaction.modified_at.as_millisecond(),
        ":details": details,
    })?;
    Ok(())
}

/// Writes what may change, provided that the row still is what the decision was made on.
pub fn update(
    connection: &Connection,
    before: &Transaction,
    after: &Transaction,
    details: &str,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "UPDATE transactions SET status = :status, capturing = :capturing, captured = :captured,
             refunding = :refunding, refunded = :refunded, attempts = :attempts,
             reject_code = :reject_code, due_at = :due_at, due_then = :due_then,
             modified_at = :modified_at, details = :details
         WHERE id = :id AND status = :was AND captured = :was_captured
             AND refunding = :was_refunding AND refunded = :was_refunded
             AND attempts = :was_attempts AND capturing IS :was_capturing",
    )?;
    let changed = statement.execute(named_params! {
        ":id": text(before.id),
        ":was": before.status.wire(),
        ":was_captured": before.captured,
        ":was_refunding": before.refunding,
        ":was_refunded": before.refunded,
        ":was_attempts": before.attempts,
        ":was_capturing": before.capturing,
        ":status": after.status.wire(),
        ":capturing": after.capturing,
        ":captured": after.captured,
        ":refunding": after.refunding,
        ":refunded": after.refunded,
        ":attempts": after.attempts,
        ":reject_code": after.decline.as_ref().map(RejectCode::as_str),
        ":due_at": after.due.as_ref().map(|due| due.at.as_millisecond()),
        ":due_then": after.due.as_ref().map(|due| due.then.to_string()),
        ":modified_at": after.modified_at.as_millisecond(),
        ":details": details,
    })?;
    if changed == 1 {
        Ok(())
    } else {
        Err(StoreError::Stale)
    }
}

/// The transaction with the service's id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    id: Uuid,
) -> Result<Option<Record>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT * FROM transactions WHERE id = ?3 AND tenant_id = ?1 AND collection = ?2",
    )?;
    let row = statement
        .query_row(params![tenant.0, collection.name(), text(id)], |row| {
            Ok(read(row))
        })
        .optional()?;
    row.transpose()
}

/// The transaction with the merchant's id.
pub fn by_merchant_id(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    key: &str,
) -> Result<Option<Record>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT * FROM transactions
         WHERE tenant_id = ?1 AND collection = ?2 AND merchant_id = ?3",
    )?;
    let row = statement
        .query_row(params![tenant.0, collection.name(), key], |row| {
            Ok(read(row))
        })
        .optional()?;
    row.transpose()
}

/// The refunds of a purchase, oldest first.
pub fn refunds_of(connection: &Connection, purchase: Uuid) -> Result<Vec<Record>, StoreError> {
    all(
        connection,
        "SELECT * FROM transactions WHERE parent_id = ?1 ORDER BY created_at, id",
        [text(purchase)],
    )
}

/// Transactions whose ending is due, in the order it is.
pub fn due(connection: &Connection, now: Timestamp, limit: u32) -> Result<Vec<Record>, StoreError> {
    all(
        connection,
        "SELECT * FROM transactions WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ?2",
        params![now.as_millisecond(), limit],
    )
}

/// When the next ending is due.
pub fn next_due(connection: &Connection) -> Result<Option<Timestamp>, StoreError> {
    let millis: Option<i64> = connection
        .prepare_cached("SELECT min(due_at) FROM transactions WHERE due_at IS NOT NULL")?
        .query_row([], |row| row.get(0))?;
    millis.map(time).transpose()
}

fn all(
    connection: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<Record>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(read(row)?);
    }
    Ok(records)
}

fn read(row: &Row<'_>) -> Result<Record, StoreError> {
    let currency: String = row.get("currency")?;
    let currency = Currency::parse(&currency).map_err(|_| StoreError::Corrupt("currency"))?;
    let kind: String = row.get("type")?;
    let status: String = row.get("status")?;
    let decline: Option<String> = row.get("reject_code")?;
    let decline = decline
        .map(|code| RejectCode::parse(&code).ok_or(StoreError::Corrupt("reject code")))
        .transpose()?;
    let transaction = Transaction {
        id: parsed(row, "id")?,
        kind: Kind::from_wire(&kind).ok_or(StoreError::Corrupt("type"))?,
        parent: optional(row, "parent_id")?,
        merchant_transaction_id: row.get("merchant_id")?,
        origin_merchant_transaction_id: row.get("origin_id")?,
        payment_channel: row.get("payment_channel")?,
        status: Status::from_wire(&status).ok_or(StoreError::Corrupt("status"))?,
        money: Money::new(row.get("amount")?, currency),
        two_step: row.get("two_step")?,
        capturing: row.get("capturing")?,
        captured: row.get("captured")?,
        refunding: row.get("refunding")?,
        refunded: row.get("refunded")?,
        attempts: row.get("attempts")?,
        decline,
        due: due_of(row)?,
        planned: Planned {
            capture: optional(row, "planned_capture")?,
            refund: optional(row, "planned_refund")?,
            renew: optional(row, "planned_renew")?,
        },
        created_at: time(row.get("created_at")?)?,
        modified_at: time(row.get("modified_at")?)?,
    };
    Ok(Record {
        tenant: Tenant(row.get("tenant_id")?),
        transaction,
        details: row.get("details")?,
    })
}

fn due_of(row: &Row<'_>) -> Result<Option<Due>, StoreError> {
    let at: Option<i64> = row.get("due_at")?;
    let then = optional(row, "due_then")?;
    at.zip(then)
        .map(|(at, then)| {
            Ok(Due {
                at: time(at)?,
                then,
            })
        })
        .transpose()
}

fn parsed<T: FromStr>(row: &Row<'_>, column: &'static str) -> Result<T, StoreError> {
    let text: String = row.get(column)?;
    text.parse().map_err(|_| StoreError::Corrupt(column))
}

fn optional<T: FromStr>(row: &Row<'_>, column: &'static str) -> Result<Option<T>, StoreError> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| text.parse().map_err(|_| StoreError::Corrupt(column)))
        .transpose()
}

fn time(millis: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(|_| StoreError::Corrupt("time"))
}

fn text(id: Uuid) -> String {
    id.hyphenated().to_string()
}
