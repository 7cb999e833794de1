//! Stores the first answer to each key, for requests that are repeated.

use super::connection::Connection;
use super::error::StoreError;
use super::{Collection, Tenant};
use crate::values;

/// A stored answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The keyed hash of the request body.
    pub fingerprint: Vec<u8>,
    /// The body of the answer.
    pub body: String,
}

/// The key that identifies a repeated request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    /// The merchant's id of the created transaction.
    Natural(Collection, &'a str),
    /// The operation and the idempotency key of the request.
    Command(&'a str, &'a str),
}

/// The stored answer for this key; `None` when the key is new.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    key: Key<'_>,
) -> Result<Option<Stored>, StoreError> {
    let (sql, space, name) = match key {
        Key::Natural(collection, name) => (
            "SELECT fingerprint, body FROM answers
             WHERE tenant_id = $1 AND collection = $2 AND merchant_id = $3",
            collection.name(),
            name,
        ),
        Key::Command(operation, name) => (
            "SELECT fingerprint, body FROM command_answers
             WHERE tenant_id = $1 AND operation = $2 AND idempotency_key = $3",
            operation,
            name,
        ),
    };
    connection.find(sql, values![tenant, space, name], |row| {
        Ok(Stored {
            fingerprint: row.at(0)?,
            body: row.at(1)?,
        })
    })
}

/// Stores an answer for the lifetime of the records: a natural key remains the way to read its
/// record.
pub fn insert(
    connection: &Connection,
    tenant: Tenant,
    key: Key<'_>,
    stored: &Stored,
) -> Result<(), StoreError> {
    let (sql, space, name) = match key {
        Key::Natural(collection, name) => (
            "INSERT INTO answers (tenant_id, collection, merchant_id, fingerprint, body)
             VALUES ($1, $2, $3, $4, $5)",
            collection.name(),
            name,
        ),
        Key::Command(operation, name) => (
            "INSERT INTO command_answers
                 (tenant_id, operation, idempotency_key, fingerprint, body)
             VALUES ($1, $2, $3, $4, $5)",
            operation,
            name,
        ),
    };
    connection.write(
        sql,
        values![tenant, space, name, &stored.fingerprint, &stored.body],
    )
}
