//! Stores the delivery faults that a merchant requested.

use super::Tenant;
use super::connection::Connection;
use super::error::StoreError;
use crate::domain::notification::Faults;
use crate::values;

/// The requested faults; all zero by default.
pub fn of(connection: &Connection, tenant: Tenant) -> Result<Faults, StoreError> {
    let found = connection.find(
        "SELECT duplicated, reordered, dropped FROM notification_faults WHERE tenant_id = $1",
        values![tenant],
        |row| {
            Ok(Faults {
                duplicated: row.get("duplicated")?,
                reordered: row.get("reordered")?,
                dropped: row.get("dropped")?,
            })
        },
    )?;
    Ok(found.unwrap_or_default())
}

/// Replaces the requested faults.
pub fn set(connection: &Connection, tenant: Tenant, faults: Faults) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO notification_faults (tenant_id, duplicated, reordered, dropped)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id) DO UPDATE SET duplicated = excluded.duplicated,
             reordered = excluded.reordered, dropped = excluded.dropped",
        values![tenant, faults.duplicated, faults.reordered, faults.dropped],
    )?;
    Ok(())
}
