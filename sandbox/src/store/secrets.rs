//! Keyed hashes, with keys that each database draws for itself.

use hmac::{HmacReset, KeyInit, Mac};
use sha2::Sha256;

use super::connection::Connection;
use super::error::StoreError;
use crate::values;

/// The key of one keyed hash.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// HMAC-SHA-256 of the parts, each with its length, so that no two lists collide.
    pub fn hash(&self, parts: &[&[u8]]) -> Result<[u8; 32], StoreError> {
        let mac = HmacReset::<Sha256>::new_from_slice(&self.0);
        // On the heap, which is overwritten when it is freed: it holds the end of what it hashes.
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

/// The secret of that name; `fresh` becomes it when there is none.
pub fn load(connection: &Connection, name: &str, fresh: &[u8]) -> Result<Secret, StoreError> {
    connection.execute(
        "INSERT INTO secrets (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        values![name, fresh],
    )?;
    let secret = connection.value("SELECT secret FROM secrets WHERE name = $1", values![name])?;
    Ok(Secret(secret))
}

/// Writes what is there already, to find out whether the database can be written. No other command writes that row.
pub fn rewrite(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("UPDATE secrets SET secret = secret", &[])?;
    Ok(())
}
