//! Stores the credentials of merchants with hashed keys.

use super::connection::Connection;
use super::error::StoreError;
use super::{Merchant, Value};
use crate::values;

/// A credential of a merchant.
#[derive(Clone, Debug)]
pub struct Credential {
    /// The merchant.
    pub merchant: Merchant,
    /// The user name for HTTP Basic.
    pub username: String,
    /// The keyed hash of the key.
    pub key_hash: Vec<u8>,
}

/// Adds a credential, or replaces the one with the same user name.
pub fn set(connection: &Connection, credential: &Credential) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO credentials (username, merchant_id, key_hash) VALUES ($1, $2, $3)
         ON CONFLICT (username)
         DO UPDATE SET merchant_id = excluded.merchant_id, key_hash = excluded.key_hash",
        values![
            &credential.username,
            credential.merchant,
            &credential.key_hash
        ],
    )?;
    Ok(())
}

/// The credential with this hash of its key.
pub fn find(connection: &Connection, key_hash: &[u8]) -> Result<Option<Credential>, StoreError> {
    connection.find(
        "SELECT username, merchant_id FROM credentials WHERE key_hash = $1",
        &[Value::from(key_hash)],
        |row| {
            Ok(Credential {
                merchant: row.get("merchant_id")?,
                username: row.get("username")?,
                key_hash: key_hash.to_vec(),
            })
        },
    )
}
