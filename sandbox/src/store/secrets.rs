//! Keyed hashes with random keys for each database.

use hmac::{HmacReset, KeyInit, Mac};
use sha2::Sha256;

use super::connection::Connection;
use super::error::StoreError;
use crate::values;

/// The key of one keyed hash.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// HMAC-SHA-256 of the parts, each preceded by its length, so that different lists never hash
    /// the same bytes.
    pub fn hash(&self, parts: &[&[u8]]) -> Result<[u8; 32], StoreError> {
        let mac = HmacReset::<Sha256>::new_from_slice(&self.0);
        // On the heap, where it is overwritten when freed: it holds the end of the hashed text.
        let mut mac = Box::new(mac.map_err(|_| StoreError::Corrupt("secret"))?);
        for part in parts {
            mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            mac.update(part);
        }
        Ok(mac.finalize_reset().into_bytes().into())
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// The secret with that name; stores `fresh` when there is none.
pub fn load(connection: &Connection, name: &str, fresh: &[u8]) -> Result<Secret, StoreError> {
    connection.execute(
        "INSERT INTO secrets (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        values![name, fresh],
    )?;
    let secret = connection.value("SELECT secret FROM secrets WHERE name = $1", values![name])?;
    Ok(Secret(secret))
}

/// Rewrites an unchanged row to test whether the database is writable. No other command writes that
/// row.
pub fn rewrite(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("UPDATE secrets SET secret = secret", &[])?;
    Ok(())
}
