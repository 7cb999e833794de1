//! Timers: one row for each future event of a tenant.

use jiff::Timestamp;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::{Merchant, Tenant};
use crate::values;

/// A planned event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// The kind of the event's subject.
    pub kind: String,
    /// The id of the subject.
    pub subject: String,
    /// When it is due, on the tenant's clock.
    pub due_at: Timestamp,
}

/// Sets a timer, or moves the one with the same kind and subject.
pub fn set(connection: &Connection, tenant: Tenant, timer: &Timer) -> Result<(), StoreError> {
    connection.write(
        "INSERT INTO timers (tenant_id, kind, subject, due_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, kind, subject) DO UPDATE SET due_at = excluded.due_at",
        values![tenant, &timer.kind, &timer.subject, timer.due_at],
    )?;
    Ok(())
}

/// Removes a timer if it exists.
pub fn clear(
    connection: &Connection,
    tenant: Tenant,
    kind: &str,
    subject: &str,
) -> Result<(), StoreError> {
    connection.write(
        "DELETE FROM timers WHERE tenant_id = $1 AND kind = $2 AND subject = $3",
        values![tenant, kind, subject],
    )?;
    Ok(())
}

/// Removes and returns the tenant's first timer that is due between `from` and `until`; `None` also
/// when another connection removes or moves it meanwhile.
///
/// `from` skips the timers that the same transaction removed earlier, which the database would
/// otherwise scan again.
pub fn take(
    connection: &Connection,
    tenant: Tenant,
    (from, until): (Timestamp, Timestamp),
) -> Result<Option<Timer>, StoreError> {
    connection.find(
        "DELETE FROM timers WHERE tenant_id = $1 AND (kind, subject, due_at) = (
             SELECT kind, subject, due_at FROM timers
             WHERE tenant_id = $1 AND due_at >= $2 AND due_at <= $3
             ORDER BY due_at, kind, subject LIMIT 1)
         RETURNING kind, subject, due_at",
        values![tenant, from, until],
        read,
    )
}

/// Whether a timer of the tenant is due by `until`.
pub fn is_any_due(
    connection: &Connection,
    tenant: Tenant,
    until: Timestamp,
) -> Result<bool, StoreError> {
    connection.exists(
        "SELECT 1 FROM timers WHERE tenant_id = $1 AND due_at <= $2 LIMIT 1",
        values![tenant, until],
    )
}

/// The merchants with a timer that is due at this time of the machine.
pub fn merchants(connection: &Connection, now: Timestamp) -> Result<Vec<Merchant>, StoreError> {
    connection.all(
        "SELECT m.id FROM merchants m JOIN tenants t ON t.id = m.tenant_id
         WHERE EXISTS (SELECT 1 FROM timers
             WHERE timers.tenant_id = t.id AND timers.due_at <= $1 + t.clock_offset)
         ORDER BY m.id",
        values![now],
        |row| row.at(0),
    )
}

/// The machine's time at which the next timer of any merchant is due.
pub fn next_due(connection: &Connection) -> Result<Option<Timestamp>, StoreError> {
    connection.value(
        "SELECT min((SELECT min(due_at) FROM timers WHERE timers.tenant_id = t.id)
             - t.clock_offset)
         FROM merchants m JOIN tenants t ON t.id = m.tenant_id",
        &[],
    )
}

fn read(row: &Row<'_>) -> Result<Timer, StoreError> {
    Ok(Timer {
        kind: row.get("kind")?,
        subject: row.get("subject")?,
        due_at: row.get("due_at")?,
    })
}
