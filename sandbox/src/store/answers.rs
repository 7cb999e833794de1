//! The first answer to each natural key, for whoever asks again.

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

/// What was answered to this key, if it was used.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    key: &str,
) -> Result<Option<Stored>, StoreError> {
    connection.find(
        "SELECT fingerprint, body FROM answers
         WHERE tenant_id = $1 AND collection = $2 AND merchant_id = $3",
        values![tenant, collection.name(), key],
        |row| {
            Ok(Stored {
                fingerprint: row.at(0)?,
                body: row.at(1)?,
            })
        },
    )
}

/// Keeps an answer for as long as the records live: the key is how the record is read again.
pub fn insert(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    key: &str,
    stored: &Stored,
) -> Result<(), StoreError> {
    connection.write(
        "INSERT INTO answers (tenant_id, collection, merchant_id, fingerprint, body)
         VALUES ($1, $2, $3, $4, $5)",
        values![
            tenant,
            collection.name(),
            key,
            &stored.fingerprint,
            &stored.body
        ],
    )?;
    Ok(())
}
