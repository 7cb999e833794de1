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
    /// The customer whose card is saved.
    pub customer: Uuid,
    /// The settings of the page, a JSON object.
    pub details: CardEntryDetails,
    /// When the page expires.
    pub expires_at: Timestamp,
}

/// Adds a page; only the hash of its token is stored.
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

/// The unexpired page for this token.
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

/// Like [`find`], but also closes the page.
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
