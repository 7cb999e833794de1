//! Merchants and their tenants: the present records, snapshots and retired ones.

use jiff::{SignedDuration, Timestamp};

use super::connection::Connection;
use super::error::StoreError;
pub use super::present::Present;
use super::{Merchant, Tenant, schema};
use crate::values;

/// The merchant with that name.
pub fn merchant(connection: &Connection, name: &str) -> Result<Option<Merchant>, StoreError> {
    let sql = "SELECT id FROM merchants WHERE name = $1";
    connection.find(sql, values![name], |row| row.at(0))
}

/// The name of a merchant.
pub fn name(connection: &Connection, merchant: Merchant) -> Result<String, StoreError> {
    connection.value(
        "SELECT name FROM merchants WHERE id = $1",
        values![merchant],
    )
}

/// The names of all merchants, in order.
pub fn names(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT name FROM merchants ORDER BY name";
    connection.all(sql, &[], |row| row.at(0))
}

/// Whether a merchant with that id exists.
pub fn is_known(connection: &Connection, merchant: Merchant) -> Result<bool, StoreError> {
    connection.exists("SELECT id FROM merchants WHERE id = $1", values![merchant])
}

/// Adds a merchant without records.
pub fn add(
    connection: &Connection,
    name: &str,
    now: Timestamp,
) -> Result<(Merchant, Tenant), StoreError> {
    let tenant = add_tenant(connection, SignedDuration::ZERO, now)?;
    let merchant = connection.value(
        "INSERT INTO merchants (name, tenant_id) VALUES ($1, $2) RETURNING id",
        values![name, tenant],
    )?;
    Ok((merchant, tenant))
}

/// The present records, clock and settings of a merchant; assumes that a script exists.
pub fn present(connection: &Connection, merchant: Merchant) -> Result<Present, StoreError> {
    let found = connection.find(
        "SELECT t.id, t.clock_offset, m.catalogue_binds FROM merchants m JOIN tenants t ON t.id = m.tenant_id
         WHERE m.id = $1",
        values![merchant],
        |row| {
            Ok(Present {
                tenant: row.at(0)?,
                ahead: SignedDuration::from_millis(row.at(1)?),
                scripted: true,
                catalogue_binds: row.at(2)?,
            })
        },
    )?;
    found.ok_or(StoreError::Corrupt("merchant"))
}

/// Like [`present`], but also checks whether a script exists. The result is cached for the
/// transaction. All jobs of a group commit were requested before its transaction began, so the
/// cache includes every change that was already acknowledged.
pub fn present_for_command(
    connection: &Connection,
    merchant: Merchant,
) -> Result<Present, StoreError> {
    if let Some(known) = connection.cached(merchant) {
        return Ok(known);
    }
    let found = connection.find(
        "SELECT t.id, t.clock_offset,
             CASE WHEN EXISTS (SELECT 1 FROM scenarios s WHERE s.tenant_id = t.id)
                 THEN 1 ELSE 0 END, m.catalogue_binds
         FROM merchants m JOIN tenants t ON t.id = m.tenant_id
         WHERE m.id = $1",
        values![merchant],
        |row| {
            Ok(Present {
                tenant: row.at(0)?,
                ahead: SignedDuration::from_millis(row.at(1)?),
                scripted: row.at(2)?,
                catalogue_binds: row.at(3)?,
            })
        },
    )?;
    let present = found.ok_or(StoreError::Corrupt("merchant"))?;
    connection.cache(merchant, present);
    Ok(present)
}

/// Locks the merchant until the end of the transaction: no other connection changes its clock or
/// replaces its records.
pub fn lock(connection: &Connection, merchant: Merchant) -> Result<(), StoreError> {
    connection.exists(
        "SELECT id FROM merchants WHERE id = $1 FOR NO KEY UPDATE",
        values![merchant],
    )?;
    Ok(())
}

/// Locks the merchant and reads from a consistent snapshot, so that copied records fit together.
pub fn begin_whole(connection: &Connection, merchant: Merchant) -> Result<(), StoreError> {
    connection.use_snapshot()?;
    lock(connection, merchant)
}

/// Locks the tenant's money until the end of the transaction.
pub(super) fn lock_money(connection: &Connection, tenant: Tenant) -> Result<(), StoreError> {
    connection.exists(
        "SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE",
        values![tenant],
    )?;
    Ok(())
}

/// Sets the clock; a time in the past has no effect.
pub fn set_clock(
    connection: &Connection,
    tenant: Tenant,
    ahead: SignedDuration,
) -> Result<(), StoreError> {
    let millis = i64::try_from(ahead.as_millis()).map_err(|_| StoreError::Corrupt("clock"))?;
    connection.clear_cache();
    connection.execute(
        "UPDATE tenants SET clock_offset = $2 WHERE id = $1 AND clock_offset < $2",
        values![tenant, millis],
    )?;
    Ok(())
}

/// Sets whether orders that the catalogue does not accept are refused.
pub fn bind_catalogue(
    connection: &Connection,
    merchant: Merchant,
    binds: bool,
) -> Result<(), StoreError> {
    connection.clear_cache();
    connection.execute(
        "UPDATE merchants SET catalogue_binds = $2 WHERE id = $1",
        values![merchant, binds],
    )?;
    Ok(())
}

/// Gives a merchant empty records with the machine's time on the clock.
pub fn empty(
    connection: &Connection,
    merchant: Merchant,
    now: Timestamp,
) -> Result<Tenant, StoreError> {
    let tenant = add_tenant(connection, SignedDuration::ZERO, now)?;
    move_to(connection, merchant, tenant)?;
    Ok(tenant)
}

/// The retired tenants: neither a merchant nor a snapshot refers to them.
pub fn retired(connection: &Connection) -> Result<Vec<Tenant>, StoreError> {
    connection.all(
        "SELECT t.id FROM tenants t
         WHERE NOT EXISTS (SELECT 1 FROM merchants m WHERE m.tenant_id = t.id)
             AND NOT EXISTS (SELECT 1 FROM snapshots s WHERE s.tenant_id = t.id) ORDER BY t.id",
        &[],
        |row| row.at(0),
    )
}

/// Removes a retired tenant with all its rows.
///
/// Transactions that already write to it end first. Later ones find no row to write to and run
/// again on the merchant's present records.
pub(super) fn remove(connection: &Connection, tenant: Tenant) -> Result<(), StoreError> {
    connection.exists(
        "SELECT id FROM tenants WHERE id = $1 FOR UPDATE",
        values![tenant],
    )?;
    for table in schema::OF_TENANT.iter().rev() {
        let all = format!("DELETE FROM {table} WHERE tenant_id = $1");
        connection.execute(&all, values![tenant])?;
    }
    connection.execute("DELETE FROM tenants WHERE id = $1", values![tenant])?;
    Ok(())
}

/// Replaces the merchant's records by those of `tenant`.
pub fn move_to(
    connection: &Connection,
    merchant: Merchant,
    tenant: Tenant,
) -> Result<(), StoreError> {
    connection.clear_cache();
    connection.execute(
        "UPDATE merchants SET tenant_id = $2 WHERE id = $1",
        values![merchant, tenant],
    )?;
    Ok(())
}

/// Adds an empty tenant whose clock is ahead by `ahead`.
pub(super) fn add_tenant(
    connection: &Connection,
    ahead: SignedDuration,
    now: Timestamp,
) -> Result<Tenant, StoreError> {
    let millis = i64::try_from(ahead.as_millis()).map_err(|_| StoreError::Corrupt("clock"))?;
    connection.value(
        "INSERT INTO tenants (clock_offset, made_at) VALUES ($1, $2) RETURNING id",
        values![millis, now],
    )
}
