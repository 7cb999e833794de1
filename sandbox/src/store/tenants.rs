//! Merchants, and the states of their records: the present one, and what was before.

use jiff::{SignedDuration, Timestamp};

use super::connection::Connection;
use super::error::StoreError;
pub use super::present::Present;
use super::{Merchant, Tenant, schema};
use crate::values;

/// The merchant of that name.
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

/// Whether there is a merchant of that number.
pub fn is_known(connection: &Connection, merchant: Merchant) -> Result<bool, StoreError> {
    connection.exists("SELECT id FROM merchants WHERE id = $1", values![merchant])
}

/// Makes a merchant without any records.
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

/// The present records and clock of a merchant.
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

/// The same for a command, which looks whether there is a script, too. Asked for again in the same
/// transaction it is remembered, where that saves a round trip. All that share a transaction were asked
/// for before it began: whatever was answered to anybody before is known to it.
pub fn present_for_command(
    connection: &Connection,
    merchant: Merchant,
) -> Result<Present, StoreError> {
    if let Some(known) = connection.remembered(merchant) {
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
    connection.remember(merchant, present);
    Ok(present)
}

/// Keeps everybody else from changing the merchant's clock or records as a whole until the end of
/// the transaction.
pub fn lock(connection: &Connection, merchant: Merchant) -> Result<(), StoreError> {
    connection.exists(
        "SELECT id FROM merchants WHERE id = $1 FOR NO KEY UPDATE",
        values![merchant],
    )?;
    Ok(())
}

/// Begins work on the merchant's records as a whole: locks them, and sees them as they are at one
/// moment, so that what is copied of them fits together.
pub fn begin_whole(connection: &Connection, merchant: Merchant) -> Result<(), StoreError> {
    connection.see_one_moment()?;
    lock(connection, merchant)
}

/// Keeps everybody else from disposing of the tenant's money until the end of the transaction.
pub(super) fn lock_money(connection: &Connection, tenant: Tenant) -> Result<(), StoreError> {
    connection.exists(
        "SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE",
        values![tenant],
    )?;
    Ok(())
}

/// Sets the clock, which never goes back.
pub fn set_clock(
    connection: &Connection,
    tenant: Tenant,
    ahead: SignedDuration,
) -> Result<(), StoreError> {
    let millis = i64::try_from(ahead.as_millis()).map_err(|_| StoreError::Corrupt("clock"))?;
    connection.forget();
    connection.execute(
        "UPDATE tenants SET clock_offset = $2 WHERE id = $1 AND clock_offset < $2",
        values![tenant, millis],
    )?;
    Ok(())
}

/// Says whether orders that the payment methods do not take are refused.
pub fn bind_catalogue(
    connection: &Connection,
    merchant: Merchant,
    binds: bool,
) -> Result<(), StoreError> {
    connection.forget();
    connection.execute(
        "UPDATE merchants SET catalogue_binds = $2 WHERE id = $1",
        values![merchant, binds],
    )?;
    Ok(())
}

/// Gives a merchant records that are empty, with the machine's time on the clock.
pub fn empty(
    connection: &Connection,
    merchant: Merchant,
    now: Timestamp,
) -> Result<Tenant, StoreError> {
    let tenant = add_tenant(connection, SignedDuration::ZERO, now)?;
    move_to(connection, merchant, tenant)?;
    Ok(tenant)
}

/// The states of records that nobody has any more: others were put in their place.
pub fn retired(connection: &Connection) -> Result<Vec<Tenant>, StoreError> {
    connection.all(
        "SELECT t.id FROM tenants t
         WHERE NOT EXISTS (SELECT 1 FROM merchants m WHERE m.tenant_id = t.id)
             AND NOT EXISTS (SELECT 1 FROM snapshots s WHERE s.tenant_id = t.id) ORDER BY t.id",
        &[],
        |row| row.at(0),
    )
}

/// Removes every row of a state of records that nobody has any more.
///
/// Whoever began to write among them ends first; whoever wants to later finds nothing to write to, and
/// begins anew with what the merchant has now.
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

/// Gives a merchant other records.
pub fn move_to(
    connection: &Connection,
    merchant: Merchant,
    tenant: Tenant,
) -> Result<(), StoreError> {
    connection.forget();
    connection.execute(
        "UPDATE merchants SET tenant_id = $2 WHERE id = $1",
        values![merchant, tenant],
    )?;
    Ok(())
}

/// Adds a state of records that is empty, with the clock so far ahead.
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
