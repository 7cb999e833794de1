//! The ledger: entries are only added, and balances are their sums.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::{Tenant, tenants};
use crate::domain::currency::Currency;
use crate::domain::ledger::{Account, Entry};
use crate::domain::money::Money;
use crate::values;

/// A stored ledger entry.
#[derive(Clone, Debug)]
pub struct Posted {
    /// When it was posted, on the tenant's clock.
    pub at: Timestamp,
    /// The transaction that caused it.
    pub transaction: Option<Uuid>,
    /// The debited account.
    pub from: String,
    /// The credited account.
    pub to: String,
    /// The amount.
    pub money: Money,
}

/// Writes an entry and updates both balances.
pub fn post(
    connection: &Connection,
    tenant: Tenant,
    transaction: Option<Uuid>,
    entry: &Entry,
    now: Timestamp,
) -> Result<(), StoreError> {
    let currency = entry.money.currency();
    let (minor, shard) = (entry.money.minor(), connection.shard());
    let taken = minor.checked_neg().ok_or(StoreError::BalanceTooLarge)?;
    connection.write(
        "INSERT INTO entries (tenant_id, transaction_id, currency, giver, taker, minor, posted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        values![
            tenant,
            transaction,
            &currency,
            entry.from.name(),
            entry.to.name(),
            minor,
            now
        ],
    )?;
    connection.write(
        "INSERT INTO balances (tenant_id, currency, account, shard, minor)
         VALUES ($1, $2, $3, $4, $5), ($1, $2, $6, $4, $7)
         ON CONFLICT (tenant_id, currency, account, shard)
         DO UPDATE SET minor = balances.minor + excluded.minor",
        values![
            tenant,
            &currency,
            entry.from.name(),
            shard,
            taken,
            entry.to.name(),
            minor
        ],
    )?;
    Ok(())
}

/// The merchant's available balance in minor units. It is locked until the end of the transaction.
pub fn available(
    connection: &Connection,
    tenant: Tenant,
    currency: Currency,
) -> Result<i64, StoreError> {
    // Lock before reading, so that the read sees what the previous holder of the lock wrote.
    tenants::lock_money(connection, tenant)?;
    let shards: Vec<i64> = connection.all(
        "SELECT minor FROM balances WHERE tenant_id = $1 AND currency = $2 AND account = $3",
        values![tenant, &currency, Account::Merchant.name()],
        |row| row.at(0),
    )?;
    shards
        .into_iter()
        .try_fold(0_i64, i64::checked_add)
        .ok_or(StoreError::BalanceTooLarge)
}

/// Each account with its balance, in order.
pub fn balances(
    connection: &Connection,
    tenant: Tenant,
) -> Result<Vec<(String, Money)>, StoreError> {
    connection.all(
        "SELECT account, currency, CAST(sum(minor) AS BIGINT) AS minor FROM balances
         WHERE tenant_id = $1 GROUP BY account, currency ORDER BY account, currency",
        values![tenant],
        |row| Ok((row.get("account")?, money(row)?)),
    )
}

/// The latest entries of one transaction or of all; at most `limit`.
pub fn entries(
    connection: &Connection,
    tenant: Tenant,
    transaction: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Posted>, StoreError> {
    let (select, order) = (
        "SELECT posted_at, transaction_id, giver, taker, currency, minor FROM entries
         WHERE tenant_id = $1",
        "ORDER BY id DESC LIMIT",
    );
    match transaction {
        None => {
            let sql = format!("{select} {order} $2");
            connection.all(&sql, values![tenant, limit], posted)
        }
        Some(id) => {
            let sql = format!("{select} AND transaction_id = $2 {order} $3");
            connection.all(&sql, values![tenant, id, limit], posted)
        }
    }
}

fn posted(row: &Row<'_>) -> Result<Posted, StoreError> {
    Ok(Posted {
        at: row.get("posted_at")?,
        transaction: row.get("transaction_id")?,
        from: row.get("giver")?,
        to: row.get("taker")?,
        money: money(row)?,
    })
}

fn money(row: &Row<'_>) -> Result<Money, StoreError> {
    Ok(Money::new(row.get("minor")?, row.get("currency")?))
}

/// Adds the initial balance of a tenant in a currency, unless it already has a balance.
pub fn open(
    connection: &Connection,
    tenant: Tenant,
    money: Money,
    now: Timestamp,
) -> Result<(), StoreError> {
    let opened = connection.exists(
        "SELECT 1 FROM balances WHERE tenant_id = $1 AND currency = $2 LIMIT 1",
        values![tenant, &money.currency()],
    )?;
    if opened {
        return Ok(());
    }
    let entry = Entry::new(Account::Opening, Account::Merchant, money);
    post(connection, tenant, None, &entry, now)
}
