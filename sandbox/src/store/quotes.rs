//! Quotes: the stored results of calculations.

use jiff::Timestamp;
use uuid::Uuid;

use super::Tenant;
use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::quote::Quote;
use crate::domain::rate::Rate;
use crate::domain::state::Kind;
use crate::values;

/// Stores a quote.
pub fn insert(connection: &Connection, tenant: Tenant, quote: &Quote) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO quotes (tenant_id, id, type, merchant_id, channel, organization, order_amount,
             order_currency, base, fee, currency, rate, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        values![
            tenant,
            quote.id,
            quote.kind.wire(),
            &quote.merchant_transaction_id,
            &quote.channel,
            &quote.organization,
            quote.order.minor(),
            &quote.order.currency(),
            quote.base.minor(),
            quote.fee.minor(),
            &quote.amount.currency(),
            quote.rate.as_str(),
            quote.expires_at
        ],
    )?;
    Ok(())
}

/// The quote with this id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Option<Quote>, StoreError> {
    connection.find(
        "SELECT * FROM quotes WHERE tenant_id = $1 AND id = $2",
        values![tenant, id],
        read,
    )
}

/// Removes the quotes that expired before a time, except `spared`.
pub fn remove_expired(
    connection: &Connection,
    tenant: Tenant,
    before: Timestamp,
    spared: Uuid,
) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM quotes WHERE tenant_id = $1 AND expires_at < $2 AND id <> $3",
        values![tenant, before, spared],
    )?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<Quote, StoreError> {
    let corrupt = || StoreError::Corrupt("quote");
    let (kind, rate): (String, String) = (row.get("type")?, row.get("rate")?);
    let (base, fee): (i64, i64) = (row.get("base")?, row.get("fee")?);
    let currency: Currency = row.get("currency")?;
    let amount = base.checked_add(fee).ok_or_else(corrupt)?;
    Ok(Quote {
        id: row.get("id")?,
        channel: row.get("channel")?,
        organization: row.get("organization")?,
        kind: Kind::from_wire(&kind).ok_or_else(corrupt)?,
        merchant_transaction_id: row.get("merchant_id")?,
        order: Money::new(row.get("order_amount")?, row.get("order_currency")?),
        base: Money::new(base, currency),
        fee: Money::new(fee, currency),
        amount: Money::new(amount, currency),
        rate: Rate::parse(&rate).ok_or_else(corrupt)?,
        expires_at: row.get("expires_at")?,
    })
}
