//! What happens by itself: one row for each, found in the order it is due.

use jiff::Timestamp;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::{Merchant, Tenant};
use crate::values;

/// Something that is to happen by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// What kind of thing it happens to.
    pub kind: String,
    /// Which of them.
    pub subject: String,
    /// When, on the tenant's clock.
    pub due_at: Timestamp,
}

/// Arranges for something to happen, instead of when it was to happen before.
pub fn set(connection: &Connection, tenant: Tenant, timer: &Timer) -> Result<(), StoreError> {
    connection.write(
        "INSERT INTO timers (tenant_id, kind, subject, due_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, kind, subject) DO UPDATE SET due_at = excluded.due_at",
        values![tenant, &timer.kind, &timer.subject, timer.due_at],
    )?;
    Ok(())
}

/// Calls something off that may or may not have been arranged.
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

/// Takes the first of the tenant's timers that is due within a time. None, too, when somebody else
/// takes or moves it meanwhile.
///
/// What was taken in the same transaction before is still gone through: a beginning that leaves it out
/// saves that.
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

/// Whether any of the tenant's timers is due by then.
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

/// The merchants who have something due at this time of the machine.
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

/// When, by the machine's clock, the next thing is due for anybody.
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
