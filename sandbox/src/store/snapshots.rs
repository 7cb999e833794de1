//! Snapshots: kept copies of a merchant's records.

use jiff::Timestamp;

use super::connection::Connection;
use super::error::StoreError;
use super::{Merchant, Tenant};
use crate::values;

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its number; numbers are never reused.
    pub number: i64,
    /// Its name, if it was given one.
    pub name: Option<String>,
    /// When it was taken, by the machine's clock.
    pub taken_at: Timestamp,
}

/// Stores a copy of a merchant's records as a snapshot.
pub fn keep(
    connection: &Connection,
    merchant: Merchant,
    copy: Tenant,
    name: Option<&str>,
) -> Result<i64, StoreError> {
    let number = connection.value(
        "UPDATE merchants SET snapshots_taken = snapshots_taken + 1 WHERE id = $1
         RETURNING snapshots_taken",
        values![merchant],
    )?;
    connection.execute(
        "INSERT INTO snapshots (merchant_id, number, tenant_id, name) VALUES ($1, $2, $3, $4)",
        values![merchant, number, copy, name],
    )?;
    Ok(number)
}

/// The number of a merchant's snapshots.
pub fn count(connection: &Connection, merchant: Merchant) -> Result<i64, StoreError> {
    connection.value(
        "SELECT count(*) FROM snapshots WHERE merchant_id = $1",
        values![merchant],
    )
}

/// A merchant's snapshots, oldest first.
pub fn of(connection: &Connection, merchant: Merchant) -> Result<Vec<Snapshot>, StoreError> {
    connection.all(
        "SELECT s.number, s.name, t.made_at FROM snapshots s JOIN tenants t ON t.id = s.tenant_id
         WHERE s.merchant_id = $1 ORDER BY s.number",
        values![merchant],
        |row| {
            Ok(Snapshot {
                number: row.at(0)?,
                name: row.at(1)?,
                taken_at: row.at(2)?,
            })
        },
    )
}

/// The tenant with the snapshot's records.
pub fn find(
    connection: &Connection,
    merchant: Merchant,
    number: i64,
) -> Result<Option<Tenant>, StoreError> {
    connection.find(
        "SELECT tenant_id FROM snapshots WHERE merchant_id = $1 AND number = $2",
        values![merchant, number],
        |row| row.at(0),
    )
}

/// Removes a snapshot, so that its tenant becomes a retired one; returns false when there is no
/// such snapshot.
pub fn remove(
    connection: &Connection,
    merchant: Merchant,
    number: i64,
) -> Result<bool, StoreError> {
    let removed = connection.execute(
        "DELETE FROM snapshots WHERE merchant_id = $1 AND number = $2",
        values![merchant, number],
    )?;
    Ok(removed == 1)
}

/// Removes every snapshot of a merchant.
pub fn remove_all(connection: &Connection, merchant: Merchant) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM snapshots WHERE merchant_id = $1",
        values![merchant],
    )?;
    Ok(())
}
