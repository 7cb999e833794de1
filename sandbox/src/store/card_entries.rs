//! Pages on which a customer enters one card.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::{Tenant, details};
use crate::details::CardEntryDetails;
use crate::values;

/// A page that waits for a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardEntry {
    /// Whose card.
    pub customer: Uuid,
    /// How the page behaves, a JSON object.
    pub details: CardEntryDetails,
    /// Until when it waits.
    pub expires_at: Timestamp,
}

/// Opens a page; its token is kept as a hash.
pub fn add(
    connection: &Connection,
    tenant: Tenant,
    token_hash: &[u8],
    entry: &CardEntry,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO card_entries (tenant_id, token_hash, customer_id, details, expires_at)
         VALUES ($1, $2, $3, $4, $5)",
        values![
            tenant,
            token_hash,
            entry.customer,
            details::text(&entry.details)?,
            entry.expires_at
        ],
    )?;
    Ok(())
}

/// The page of this token, as long as it waits.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    token_hash: &[u8],
    now: Timestamp,
) -> Result<Option<CardEntry>, StoreError> {
    connection.find(
        "SELECT * FROM card_entries WHERE tenant_id = $1 AND token_hash = $2 AND expires_at > $3",
        values![tenant, token_hash, now],
        read,
    )
}

/// The same, which waits no longer.
pub fn take(
    connection: &Connection,
    tenant: Tenant,
    token_hash: &[u8],
    now: Timestamp,
) -> Result<Option<CardEntry>, StoreError> {
    connection.find(
        "DELETE FROM card_entries WHERE tenant_id = $1 AND token_hash = $2 AND expires_at > $3
         RETURNING *",
        values![tenant, token_hash, now],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<CardEntry, StoreError> {
    Ok(CardEntry {
        customer: row.get("customer_id")?,
        details: details::read(row, "card_entries")?,
        expires_at: row.get("expires_at")?,
    })
}
