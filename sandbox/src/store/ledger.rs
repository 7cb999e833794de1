//! The books: postings are only ever added, balances are their sums.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::Tenant;
use super::error::StoreError;
use crate::domain::currency::Currency;
use crate::domain::ledger::{Account, Entry};
use crate::domain::money::Money;

/// Writes an entry: two postings that cancel out, and both balances.
pub fn post(
    connection: &Connection,
    tenant: Tenant,
    transaction: Option<Uuid>,
    entry: &Entry,
    now: Timestamp,
) -> Result<(), StoreError> {
    let taken = entry.money.negated().ok_or(StoreError::BalanceTooLarge)?;
    let number: i64 = connection
        .prepare_cached("SELECT coalesce(max(id), 0) + 1 FROM postings")?
        .query_row([], |row| row.get(0))?;
    let transaction = transaction.map(|id| id.hyphenated().to_string());
    for (account, money) in [(entry.from, taken), (entry.to, entry.money)] {
        let currency = money.currency();
        connection
            .prepare_cached(
                "INSERT INTO postings
                   (entry, tenant_id, transaction_id, currency, account, minor, posted_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                number,
                tenant.0,
                transaction,
                currency.code(),
                account.name(),
                money.minor(),
                now.as_millisecond(),
            ])?;
        add(connection, tenant, account, money)?;
    }
    Ok(())
}

/// The minor units that the merchant can dispose of.
pub fn available(
    connection: &Connection,
    tenant: Tenant,
    currency: Currency,
) -> Result<i64, StoreError> {
    balance(connection, tenant, currency, Account::Merchant)
}

/// Gives a tenant its first balance in a currency; one that has any is left alone.
pub fn open(
    connection: &Connection,
    tenant: Tenant,
    money: Money,
    now: Timestamp,
) -> Result<(), StoreError> {
    let opened: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM balances WHERE tenant_id = ?1 AND currency = ?2)",
        params![tenant.0, money.currency().code()],
        |row| row.get(0),
    )?;
    if opened {
        return Ok(());
    }
    post(
        connection,
        tenant,
        None,
        &Entry::new(Account::Opening, Account::Merchant, money),
        now,
    )
}

fn balance(
    connection: &Connection,
    tenant: Tenant,
    currency: Currency,
    account: Account,
) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT minor FROM balances WHERE tenant_id = ?1 AND currency = ?2 AND account = ?3",
    )?;
    let minor = statement
        .query_row(params![tenant.0, currency.code(), account.name()], |row| {
            row.get(0)
        })
        .optional()?;
    Ok(minor.unwrap_or(0))
}

/// Adds to a balance. The sum is made here: in SQL it would silently leave the integers.
fn add(
    connection: &Connection,
    tenant: Tenant,
    account: Account,
    money: Money,
) -> Result<(), StoreError> {
    let before = balance(connection, tenant, money.currency(), account)?;
    let after = before
        .checked_add(money.minor())
        .ok_or(StoreError::BalanceTooLarge)?;
    connection
        .prepare_cached(
            "INSERT INTO balances (tenant_id, currency, account, minor) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET minor = ?4",
        )?
        .execute(params![
            tenant.0,
            money.currency().code(),
            account.name(),
            after
        ])?;
    Ok(())
}
