//! The first answer to each natural key, for whoever asks again.

use rusqlite::{Connection, OptionalExtension, params};

use super::error::StoreError;
use super::{Collection, Tenant};

/// An answer that was given before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The keyed hash of the body that was answered.
    pub fingerprint: Vec<u8>,
    /// The body of the answer.
    pub body: String,
}

/// What was answered to this key, if it was used.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    key: &str,
) -> Result<Option<Stored>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT fingerprint, body FROM answers
         WHERE tenant_id = ?1 AND collection = ?2 AND merchant_id = ?3",
    )?;
    let stored = statement.query_row(params![tenant.0, collection.name(), key], |row| {
        Ok(Stored {
            fingerprint: row.get(0)?,
            body: row.get(1)?,
        })
    });
    Ok(stored.optional()?)
}

/// Keeps an answer for as long as the database lives: the key is how the record is read again.
pub fn insert(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    key: &str,
    stored: &Stored,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO answers (tenant_id, collection, merchant_id, fingerprint, body)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    statement.execute(params![
        tenant.0,
        collection.name(),
        key,
        stored.fingerprint,
        stored.body
    ])?;
    Ok(())
}
