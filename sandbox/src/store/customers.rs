//! The ids of customers, each of which the service has assigned.

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::Tenant;
use super::error::StoreError;

/// Keeps a new customer.
pub fn add(connection: &Connection, tenant: Tenant, id: Uuid) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT INTO customers (id, tenant_id) VALUES (?1, ?2)")?
        .execute(params![id.hyphenated().to_string(), tenant.0])?;
    Ok(())
}

/// Whether the tenant has this customer.
pub fn has(connection: &Connection, tenant: Tenant, id: Uuid) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM customers WHERE id = ?1 AND tenant_id = ?2)",
    )?;
    Ok(
        statement.query_row(params![id.hyphenated().to_string(), tenant.0], |row| {
            row.get(0)
        })?,
    )
}
