//! Stores the channel that each customer used last.

use jiff::Timestamp;
use uuid::Uuid;

use super::Tenant;
use super::connection::Connection;
use super::error::StoreError;
use crate::domain::state::Kind;
use crate::values;

/// Stores the channel of an accepted transaction.
pub fn keep(
    connection: &Connection,
    tenant: Tenant,
    customer: Uuid,
    (kind, channel): (Kind, &str),
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.write(
        "INSERT INTO channels_used (tenant_id, customer_id, type, channel, used_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, customer_id, type)
         DO UPDATE SET channel = excluded.channel, used_at = excluded.used_at",
        values![tenant, customer, kind.wire(), channel, now],
    )?;
    Ok(())
}

/// The channel that a customer used last, for one type of transaction or for all.
pub fn last(
    connection: &Connection,
    tenant: Tenant,
    customer: Uuid,
    kind: Option<&str>,
) -> Result<Option<String>, StoreError> {
    connection.find(
        "SELECT channel FROM channels_used
         WHERE tenant_id = $1 AND customer_id = $2 AND ($3 = '' OR type = $3)
         ORDER BY used_at DESC, type LIMIT 1",
        values![tenant, customer, kind.unwrap_or_default()],
        |row| row.at(0),
    )
}
