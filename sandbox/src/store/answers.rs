//! The first answer to each key, for whoever asks again.

use super::connection::Connection;
use super::error::StoreError;
use super::{Collection, Tenant};
use crate::values;

/// An answer that was given before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The keyed hash of the body that was answered.
    pub fingerprint: Vec<u8>,
    /// The body of the answer.
    pub body: String,
}

/// What a request can be recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    /// The merchant's id of the transaction that was made.
    Natural(Collection, &'a str),
    /// The operation, and the key that the request carried.
    Command(&'a str, &'a str),
}

/// What was answered to this key, if it was used.
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

/// Keeps an answer for as long as the records live: a natural key is how the record is read again.
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
