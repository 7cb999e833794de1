//! Recipients of instant transfers.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::page::{self, Sorted};
use super::{Tenant, details};
use crate::details::InstantRecipientDetails;
use crate::domain::page::Page;
use crate::values;

/// The sort fields of the list.
pub const SORTED: &Sorted = &[
    ("createdAt", "created_at"),
    ("updatedAt", "updated_at"),
    ("name", "name"),
];

/// A recipient of instant transfers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstantRecipient {
    /// Its id.
    pub id: Uuid,
    /// The customer who pays the recipient.
    pub customer: Uuid,
    /// Its name.
    pub name: String,
    /// The currency of the wallet.
    pub currency: String,
    /// The kind of identifier of the wallet, such as `mobile_number`.
    pub proxy_type: String,
    /// The identifier of the wallet.
    pub proxy_value: String,
    /// Descriptive fields, a JSON object.
    pub details: InstantRecipientDetails,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Adds a recipient, or updates the one with the same wallet; returns the stored recipient.
pub fn put(
    connection: &Connection,
    tenant: Tenant,
    recipient: &InstantRecipient,
) -> Result<InstantRecipient, StoreError> {
    let found = connection.find(
        "INSERT INTO instant_recipients (tenant_id, id, customer_id, name, currency, proxy_type,
             proxy_value, details, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (tenant_id, customer_id, currency, proxy_type, proxy_value) DO UPDATE
             SET name = excluded.name, details = excluded.details, updated_at = excluded.updated_at
         RETURNING *",
        values![
            tenant,
            recipient.id,
            recipient.customer,
            &recipient.name,
            &recipient.currency,
            &recipient.proxy_type,
            &recipient.proxy_value,
            details::text(&recipient.details)?,
            recipient.created_at,
            recipient.updated_at
        ],
        read,
    )?;
    found.ok_or(StoreError::Corrupt("recipient"))
}

/// A recipient of a customer.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    customer: Uuid,
    id: Uuid,
) -> Result<Option<InstantRecipient>, StoreError> {
    connection.find(
        "SELECT * FROM instant_recipients
         WHERE tenant_id = $1 AND customer_id = $2 AND id = $3",
        values![tenant, customer, id],
        read,
    )
}

/// A page of the recipients of a customer.
pub fn list(
    connection: &Connection,
    tenant: Tenant,
    customer: Uuid,
    page: &Page,
) -> Result<Vec<InstantRecipient>, StoreError> {
    page::read(
        connection,
        "SELECT * FROM instant_recipients WHERE tenant_id = $1 AND customer_id = $2",
        values![tenant, customer],
        (page, SORTED, "id"),
        read,
    )
}

/// Removes a recipient; returns whether it existed.
pub fn remove(
    connection: &Connection,
    tenant: Tenant,
    customer: Uuid,
    id: Uuid,
) -> Result<bool, StoreError> {
    let removed = connection.execute(
        "DELETE FROM instant_recipients WHERE tenant_id = $1 AND customer_id = $2 AND id = $3",
        values![tenant, customer, id],
    )?;
    Ok(removed > 0)
}

fn read(row: &Row<'_>) -> Result<InstantRecipient, StoreError> {
    Ok(InstantRecipient {
        id: row.get("id")?,
        customer: row.get("customer_id")?,
        name: row.get("name")?,
        currency: row.get("currency")?,
        proxy_type: row.get("proxy_type")?,
        proxy_value: row.get("proxy_value")?,
        details: details::read(row, "instant_recipients")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
