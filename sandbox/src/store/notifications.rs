//! The outbox: notifications to merchants and the state of their delivery.

use jiff::Timestamp;
use uuid::Uuid;

use super::Tenant;
use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use crate::domain::notification::Status;
use crate::values;

/// A notification with the state of its delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Its id, which is the same for every attempt.
    pub id: Uuid,
    /// The transaction that it reports.
    pub transaction: Uuid,
    /// Its number among the notifications of the transaction.
    pub sequence: i64,
    /// The name of the event.
    pub event: String,
    /// The address of the receiver.
    pub url: String,
    /// The origin of the address. Addresses with the same origin share a receiver.
    pub origin: String,
    /// The exact body.
    pub body: String,
    /// The state of its delivery.
    pub status: Status,
    /// The number of all attempts.
    pub attempts: u32,
    /// The number of attempts since the last restart of its schedule.
    pub tries: u32,
    /// Whether it can be sent now.
    pub ready: bool,
    /// When it is retried.
    pub due_at: Option<Timestamp>,
    /// When the reported change happened.
    pub created_at: Timestamp,
}

/// The number of the transaction's next notification.
pub fn next_sequence(
    connection: &Connection,
    tenant: Tenant,
    transaction: Uuid,
) -> Result<i64, StoreError> {
    connection.value(
        "SELECT coalesce(max(sequence), 0) + 1 FROM notifications
         WHERE tenant_id = $1 AND transaction_id = $2",
        values![tenant, transaction],
    )
}

/// Whether the receiver refuses further notifications of the transaction.
pub fn is_gone(
    connection: &Connection,
    tenant: Tenant,
    transaction: Uuid,
) -> Result<bool, StoreError> {
    connection.exists(
        "SELECT 1 FROM notifications WHERE tenant_id = $1 AND transaction_id = $2 AND status = $3",
        values![tenant, transaction, Status::Gone.wire()],
    )
}

/// Adds a notification.
pub fn insert(
    connection: &Connection,
    tenant: Tenant,
    notification: &Notification,
) -> Result<(), StoreError> {
    connection.write(
        "INSERT INTO notifications (tenant_id, id, transaction_id, sequence, event, url, origin,
             body, status, attempts, tries, ready, due_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        values![
            tenant,
            notification.id,
            notification.transaction,
            notification.sequence,
            &notification.event,
            &notification.url,
            &notification.origin,
            &notification.body,
            notification.status.wire(),
            notification.attempts,
            notification.tries,
            notification.ready,
            notification.due_at,
            notification.created_at
        ],
    )?;
    Ok(())
}

/// The notification with this id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Option<Notification>, StoreError> {
    connection.find(
        "SELECT * FROM notifications WHERE tenant_id = $1 AND id = $2",
        values![tenant, id],
        read,
    )
}

/// The latest notifications of a tenant or of one transaction, latest first.
pub fn latest(
    connection: &Connection,
    tenant: Tenant,
    transaction: Option<Uuid>,
    limit: u32,
) -> Result<Vec<Notification>, StoreError> {
    connection.all(
        "SELECT * FROM notifications
         WHERE tenant_id = $1 AND transaction_id = coalesce($2, transaction_id)
         ORDER BY created_at DESC, sequence DESC, id DESC LIMIT $3",
        values![tenant, transaction, limit],
        read,
    )
}

/// Makes a waiting notification ready to send now; returns false when it does not wait.
pub fn make_ready(connection: &Connection, tenant: Tenant, id: Uuid) -> Result<bool, StoreError> {
    let changed = connection.execute(
        "UPDATE notifications SET ready = 1, due_at = NULL
         WHERE tenant_id = $1 AND id = $2 AND status = $3",
        values![tenant, id, Status::Waiting.wire()],
    )?;
    Ok(changed == 1)
}

/// Restarts the schedule of a notification in any state; returns false while it is in flight.
pub fn begin_anew(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    machine: Timestamp,
) -> Result<bool, StoreError> {
    let changed = connection.execute(
        "UPDATE notifications SET status = $4, tries = 0, ready = 1, due_at = NULL
         WHERE tenant_id = $1 AND id = $2 AND (leased_until IS NULL OR leased_until <= $3)",
        values![tenant, id, machine, Status::Waiting.wire()],
    )?;
    Ok(changed == 1)
}

pub(super) fn read(row: &Row<'_>) -> Result<Notification, StoreError> {
    let status: String = row.get("status")?;
    Ok(Notification {
        id: row.get("id")?,
        transaction: row.get("transaction_id")?,
        sequence: row.get("sequence")?,
        event: row.get("event")?,
        url: row.get("url")?,
        origin: row.get("origin")?,
        body: row.get("body")?,
        status: Status::from_wire(&status).ok_or(StoreError::Corrupt("status"))?,
        attempts: row.get("attempts")?,
        tries: row.get("tries")?,
        ready: row.get("ready")?,
        due_at: row.get("due_at")?,
        created_at: row.get("created_at")?,
    })
}
