//! Customers. A removed customer stays in the table for the transactions that refer to it.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::{Tenant, details};
use crate::details::CustomerDetails;
use crate::values;

/// A customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomerRecord {
    /// The service's id.
    pub id: Uuid,
    /// The merchant's id.
    pub merchant_customer_id: String,
    /// Descriptive fields, a JSON object.
    pub details: CustomerDetails,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Adds a customer.
pub fn add(
    connection: &Connection,
    tenant: Tenant,
    customer: &CustomerRecord,
) -> Result<(), StoreError> {
    connection.write(
        "INSERT INTO customers (tenant_id, id, merchant_customer_id, details, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        values![
            tenant,
            customer.id,
            &customer.merchant_customer_id,
            details::text(&customer.details)?,
            customer.created_at,
            customer.updated_at
        ],
    )?;
    Ok(())
}

/// The customer with the merchant's id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    merchant_customer_id: &str,
) -> Result<Option<CustomerRecord>, StoreError> {
    connection.find(
        "SELECT * FROM customers
         WHERE tenant_id = $1 AND merchant_customer_id = $2 AND deleted_at IS NULL",
        values![tenant, merchant_customer_id],
        read,
    )
}

/// Like [`find`], but locks the customer: nothing else changes it or adds records for it meanwhile.
pub fn find_for_update(
    connection: &Connection,
    tenant: Tenant,
    merchant_customer_id: &str,
) -> Result<Option<CustomerRecord>, StoreError> {
    connection.find(
        "SELECT * FROM customers
         WHERE tenant_id = $1 AND merchant_customer_id = $2 AND deleted_at IS NULL FOR UPDATE",
        values![tenant, merchant_customer_id],
        read,
    )
}

/// Whether the tenant has this customer and it is not removed.
pub fn has(connection: &Connection, tenant: Tenant, id: Uuid) -> Result<bool, StoreError> {
    connection.exists(
        "SELECT 1 FROM customers WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL",
        values![tenant, id],
    )
}

/// Like [`has`], but locks the customer: nothing else removes it or adds records for it meanwhile.
pub fn lock(connection: &Connection, tenant: Tenant, id: Uuid) -> Result<bool, StoreError> {
    connection.exists(
        "SELECT 1 FROM customers WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE",
        values![tenant, id],
    )
}

/// Writes the changeable columns of a customer.
pub fn update(
    connection: &Connection,
    tenant: Tenant,
    customer: &CustomerRecord,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE customers SET details = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2",
        values![
            tenant,
            customer.id,
            details::text(&customer.details)?,
            customer.updated_at
        ],
    )?;
    Ok(())
}

/// Removes a customer; only its id stays.
pub fn remove(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE customers SET details = $4, deleted_at = $3 WHERE tenant_id = $1 AND id = $2",
        values![tenant, id, now, details::text(&CustomerDetails::default())?],
    )?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<CustomerRecord, StoreError> {
    Ok(CustomerRecord {
        id: row.get("id")?,
        merchant_customer_id: row.get("merchant_customer_id")?,
        details: details::read(row, "customers")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
