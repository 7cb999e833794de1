//! Leases notifications for sending and stores the results of attempts.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::notifications::{self, Notification};
use super::{Merchant, Tenant};
use crate::domain::notification::{Failure, Reply, Status};
use crate::values;

/// A notification to send, with its merchant and tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The merchant.
    pub merchant: Merchant,
    /// The tenant.
    pub tenant: Tenant,
    /// The notification.
    pub notification: Notification,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its number, from 1.
    pub number: u32,
    /// When it was sent, on the merchant's clock.
    pub made_at: Timestamp,
    /// How long it took, in milliseconds.
    pub milliseconds: i64,
    /// The answer, or why there was none.
    pub reply: Reply,
}

/// The number of receivers that a search can exclude.
pub const BUSY: usize = 8;

/// The condition that a notification `n` can be sent at the machine's time `$1`: it is not leased,
/// no earlier notification of its transaction is ready, and no other one is in flight.
const FREE: &str = "n.ready = 1 AND (n.leased_until IS NULL OR n.leased_until <= $1)
    AND NOT EXISTS (SELECT 1 FROM notifications o
        WHERE o.tenant_id = n.tenant_id AND o.transaction_id = n.transaction_id
            AND o.sequence <> n.sequence
            AND ((o.ready = 1 AND o.sequence < n.sequence) OR o.leased_until > $1))";

/// The first notifications that can be sent, except those of busy receivers.
pub fn sendable(
    connection: &Connection,
    machine: Timestamp,
    busy: &[String; BUSY],
    limit: u32,
) -> Result<Vec<Delivery>, StoreError> {
    connection.all(
        &format!(
            "SELECT m.id AS merchant_id, n.* FROM notifications n
             JOIN merchants m ON m.tenant_id = n.tenant_id
             WHERE {FREE} AND n.origin NOT IN ($3, $4, $5, $6, $7, $8, $9, $10)
             ORDER BY n.created_at, n.sequence LIMIT $2"
        ),
        values![
            machine, limit, &busy[0], &busy[1], &busy[2], &busy[3], &busy[4], &busy[5], &busy[6],
            &busy[7]
        ],
        read,
    )
}

/// Leases a notification until `until`; returns false when another sender was faster.
pub fn take(
    connection: &Connection,
    delivery: &Delivery,
    lease: Uuid,
    machine: Timestamp,
    until: Timestamp,
) -> Result<bool, StoreError> {
    let taken = connection.execute(
        &format!(
            "UPDATE notifications AS n SET lease = $4, leased_until = $5,
                 attempts = n.attempts + 1, tries = n.tries + 1
             WHERE n.tenant_id = $2 AND n.id = $3 AND {FREE}"
        ),
        values![
            machine,
            delivery.tenant,
            delivery.notification.id,
            lease,
            until
        ],
    )?;
    Ok(taken == 1)
}

/// Ends a lease and stores the result; returns false when the lease had already passed to another
/// sender.
pub fn give_back(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    lease: Uuid,
    (status, ready, due_at): (Status, bool, Option<Timestamp>),
) -> Result<bool, StoreError> {
    let given = connection.execute(
        "UPDATE notifications SET lease = NULL, leased_until = NULL, status = $4, ready = $5,
             due_at = $6
         WHERE tenant_id = $1 AND id = $2 AND lease = $3",
        values![tenant, id, lease, status.wire(), ready, due_at],
    )?;
    Ok(given == 1)
}

/// Ends all waiting notifications of a transaction.
pub fn end_waiting(
    connection: &Connection,
    tenant: Tenant,
    transaction: Uuid,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE notifications SET status = $4, ready = 0, due_at = NULL
         WHERE tenant_id = $1 AND transaction_id = $2 AND status = $3 AND lease IS NULL",
        values![
            tenant,
            transaction,
            Status::Waiting.wire(),
            Status::Gone.wire()
        ],
    )?;
    Ok(())
}

/// Stores the result of an attempt.
pub fn keep(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    attempt: &Attempt,
) -> Result<(), StoreError> {
    let (status, failure) = match attempt.reply {
        Reply::Answered { status, .. } => (Some(i64::from(status)), None),
        Reply::Failed(failure) => (None, Some(failure.word())),
    };
    connection.execute(
        "INSERT INTO notification_attempts (tenant_id, notification_id, number, made_at,
             milliseconds, status, failure)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        values![
            tenant,
            id,
            attempt.number,
            attempt.made_at,
            attempt.milliseconds,
            status,
            failure
        ],
    )?;
    Ok(())
}

/// The attempts of a notification, in order.
pub fn attempts(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Vec<Attempt>, StoreError> {
    connection.all(
        "SELECT number, made_at, milliseconds, status, failure FROM notification_attempts
         WHERE tenant_id = $1 AND notification_id = $2 ORDER BY number",
        values![tenant, id],
        |row| {
            Ok(Attempt {
                number: row.get("number")?,
                made_at: row.get("made_at")?,
                milliseconds: row.get("milliseconds")?,
                reply: reply(row)?,
            })
        },
    )
}

fn reply(row: &Row<'_>) -> Result<Reply, StoreError> {
    let (status, failure): (Option<i64>, Option<String>) =
        (row.get("status")?, row.get("failure")?);
    let status = status.and_then(|status| u16::try_from(status).ok());
    let failure = failure.as_deref().and_then(Failure::parse);
    let answered = status.map(|status| Reply::Answered {
        status,
        retry_after: None,
    });
    let reply = answered.or(failure.map(Reply::Failed));
    reply.ok_or(StoreError::Corrupt("attempt"))
}

fn read(row: &Row<'_>) -> Result<Delivery, StoreError> {
    Ok(Delivery {
        merchant: row.get("merchant_id")?,
        tenant: row.get("tenant_id")?,
        notification: notifications::read(row)?,
    })
}
