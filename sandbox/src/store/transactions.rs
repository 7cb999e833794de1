//! Purchases, refunds and payouts, all in one table.

use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::{Tenant, details};
use crate::details::TransactionDetails;
use crate::domain::authentication::Authentication;
use crate::domain::money::Money;
use crate::domain::outcome::RejectCode;
use crate::domain::state::{Kind, Status};
use crate::domain::transaction::{Due, Planned, Transaction};
use crate::values;

/// A transaction with its descriptive fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its tenant.
    pub tenant: Tenant,
    /// The number of times it was written.
    pub version: i64,
    /// Its state.
    pub transaction: Transaction,
    /// Descriptive fields, which are returned as sent and decide nothing.
    pub details: Box<TransactionDetails>,
}

/// The scope in which the merchant's ids are unique and looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// Purchases and refunds.
    Transactions,
    /// Payouts.
    Payouts,
}

impl Collection {
    /// The collection of a kind of transaction.
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
    let transaction = &record.transaction;
    connection.write(
        "INSERT INTO transactions (tenant_id, id, version, collection, type, parent_id, merchant_id,
             origin_id, payment_channel, status, currency, amount, two_step, capturing, captured,
             refunding, refunded, attempts, reject_code, due_at, due_then, planned_capture,
             planned_refund, planned_renew, created_at, modified_at, details, authentication,
             challenge_page, subscription_id)
         VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
             $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)",
        values![
            record.tenant,
            transaction.id,
            Collection::of(transaction.kind).name(),
            transaction.kind.wire(),
            transaction.parent,
            &transaction.merchant_transaction_id,
            &transaction.origin_merchant_transaction_id,
            &transaction.payment_channel,
            transaction.status.wire(),
            &transaction.money.currency(),
            transaction.money.minor(),
            transaction.two_step,
            transaction.capturing,
            transaction.captured,
            transaction.refunding,
            transaction.refunded,
            transaction.attempts,
            transaction.decline.as_ref().map(RejectCode::as_str),
            transaction.due.as_ref().map(|due| due.at),
            transaction.due.as_ref().map(|due| due.then.to_string()),
            transaction.planned.capture.as_ref().map(ToString::to_string),
            transaction.planned.refund.as_ref().map(ToString::to_string),
            transaction.planned.renew.as_ref().map(ToString::to_string),
            transaction.created_at,
            transaction.modified_at,
            details::text(&record.details)?,
            transaction.authentication.as_ref().map(Authentication::state),
            page(transaction),
            transaction.subscription
        ],
    )?;
    Ok(())
}

/// Writes the changeable columns; fails when another write changed the row meanwhile.
pub fn update(
    connection: &Connection,
    before: &Record,
    after: &Transaction,
    details: &TransactionDetails,
) -> Result<(), StoreError> {
    connection.write_one(
        "UPDATE transactions SET version = version + 1, status = $4, capturing = $5, captured = $6,
             refunding = $7, refunded = $8, attempts = $9, reject_code = $10, due_at = $11,
             due_then = $12, modified_at = $13, details = $14, authentication = $15,
             challenge_page = $16
         WHERE tenant_id = $1 AND id = $2 AND version = $3",
        values![
            before.tenant,
            before.transaction.id,
            before.version,
            after.status.wire(),
            after.capturing,
            after.captured,
            after.refunding,
            after.refunded,
            after.attempts,
            after.decline.as_ref().map(RejectCode::as_str),
            after.due.as_ref().map(|due| due.at),
            after.due.as_ref().map(|due| due.then.to_string()),
            after.modified_at,
            details::text(details)?,
            after.authentication.as_ref().map(Authentication::state),
            page(after)
        ],
    )
}

/// The transaction with the service's id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    id: Uuid,
) -> Result<Option<Record>, StoreError> {
    connection.find(
        "SELECT * FROM transactions WHERE tenant_id = $1 AND id = $2 AND collection = $3",
        values![tenant, id, collection.name()],
        read,
    )
}

/// The transaction with the service's id, in any collection.
pub fn find_in_any(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Option<Record>, StoreError> {
    connection.find(
        "SELECT * FROM transactions WHERE tenant_id = $1 AND id = $2",
        values![tenant, id],
        read,
    )
}

/// The transaction with the merchant's id.
pub fn by_merchant_id(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    key: &str,
) -> Result<Option<Record>, StoreError> {
    connection.find(
        "SELECT * FROM transactions
         WHERE tenant_id = $1 AND collection = $2 AND merchant_id = $3",
        values![tenant, collection.name(), key],
        read,
    )
}

/// The purchase whose customer answers on that page.
pub fn by_page(
    connection: &Connection,
    tenant: Tenant,
    page: Uuid,
) -> Result<Option<Record>, StoreError> {
    connection.find(
        "SELECT * FROM transactions WHERE tenant_id = $1 AND challenge_page = $2",
        values![tenant, page],
        read,
    )
}

/// The refunds of a purchase, oldest first.
pub fn refunds_of(
    connection: &Connection,
    tenant: Tenant,
    purchase: Uuid,
) -> Result<Vec<Record>, StoreError> {
    connection.all(
        "SELECT * FROM transactions WHERE tenant_id = $1 AND parent_id = $2
         ORDER BY created_at, id",
        values![tenant, purchase],
        read,
    )
}

/// The latest transactions of every kind, latest first.
pub fn latest(
    connection: &Connection,
    tenant: Tenant,
    limit: u32,
) -> Result<Vec<Record>, StoreError> {
    connection.all(
        "SELECT * FROM transactions WHERE tenant_id = $1
         ORDER BY created_at DESC, id DESC LIMIT $2",
        values![tenant, limit],
        read,
    )
}

/// Reads the columns in their order, because the search for each column starts after the previous
/// one.
fn read(row: &Row<'_>) -> Result<Record, StoreError> {
    let (tenant, id, version) = (row.get("tenant_id")?, row.get("id")?, row.get("version")?);
    let kind: String = row.get("type")?;
    let transaction = Transaction {
        id,
        kind: Kind::from_wire(&kind).ok_or(StoreError::Corrupt("type"))?,
        parent: row.get("parent_id")?,
        subscription: row.get("subscription_id")?,
        merchant_transaction_id: row.get("merchant_id")?,
        origin_merchant_transaction_id: row.get("origin_id")?,
        payment_channel: row.get("payment_channel")?,
        status: status_of(row)?,
        money: money_of(row)?,
        two_step: row.get("two_step")?,
        capturing: row.get("capturing")?,
        captured: row.get("captured")?,
        refunding: row.get("refunding")?,
        refunded: row.get("refunded")?,
        attempts: row.get("attempts")?,
        authentication: authentication_of(row)?,
        decline: decline_of(row)?,
        due: due_of(row)?,
        planned: Planned {
            capture: row.optional("planned_capture")?,
            refund: row.optional("planned_refund")?,
            renew: row.optional("planned_renew")?,
        },
        created_at: row.get("created_at")?,
        modified_at: row.get("modified_at")?,
    };
    Ok(Record {
        tenant,
        version,
        transaction,
        details: details::read(row, "transactions")?,
    })
}

fn status_of(row: &Row<'_>) -> Result<Status, StoreError> {
    let status: String = row.get("status")?;
    Status::from_wire(&status).ok_or(StoreError::Corrupt("status"))
}

fn money_of(row: &Row<'_>) -> Result<Money, StoreError> {
    let currency = row.get("currency")?;
    Ok(Money::new(row.get("amount")?, currency))
}

fn decline_of(row: &Row<'_>) -> Result<Option<RejectCode>, StoreError> {
    let code: Option<String> = row.get("reject_code")?;
    code.map(|code| RejectCode::parse(&code).ok_or(StoreError::Corrupt("reject code")))
        .transpose()
}

fn authentication_of(row: &Row<'_>) -> Result<Option<Authentication>, StoreError> {
    let state: Option<String> = row.get("authentication")?;
    let page = row.get("challenge_page")?;
    let read = |state: String| Authentication::read(&state, page);
    state
        .map(|state| read(state).ok_or(StoreError::Corrupt("authentication")))
        .transpose()
}

/// The page of the open challenge; `None` when there is none.
fn page(transaction: &Transaction) -> Option<Uuid> {
    let authentication = transaction.authentication.as_ref();
    authentication
        .and_then(Authentication::challenge)
        .map(|challenge| challenge.page)
}

fn due_of(row: &Row<'_>) -> Result<Option<Due>, StoreError> {
    let (at, then) = (row.get("due_at")?, row.optional("due_then")?);
    let at: Option<jiff::Timestamp> = at;
    Ok(at.zip(then).map(|(at, then)| Due { at, then }))
}
