//! Merchants and the hashes of their keys.

use rusqlite::{Connection, params};

use super::Tenant;
use super::error::StoreError;

/// What lets a merchant in: a key, and the name that goes with it.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Whose it is.
    pub tenant: Tenant,
    /// The user name for HTTP Basic.
    pub username: String,
    /// The keyed hash of the key.
    pub key_hash: Vec<u8>,
}

/// The tenant of that name, created when there is none.
pub fn tenant(connection: &Connection, name: &str) -> Result<Tenant, StoreError> {
    connection.execute(
        "INSERT INTO tenants (name) VALUES (?1) ON CONFLICT DO NOTHING",
        [name],
    )?;
    let id = connection.query_row("SELECT id FROM tenants WHERE name = ?1", [name], |row| {
        row.get(0)
    })?;
    Ok(Tenant(id))
}

/// Gives a tenant its credential, in place of one with the same user name.
pub fn set(connection: &Connection, credential: &Credential) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO credentials (username, tenant_id, key_hash) VALUES (?1, ?2, ?3)
         ON CONFLICT (username) DO UPDATE SET tenant_id = ?2, key_hash = ?3",
        params![
            credential.username,
            credential.tenant.0,
            credential.key_hash
        ],
    )?;
    Ok(())
}

/// Every credential.
pub fn all(connection: &Connection) -> Result<Vec<Credential>, StoreError> {
    let sql = "SELECT tenant_id, username, key_hash FROM credentials ORDER BY username";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(Credential {
            tenant: Tenant(row.get(0)?),
            username: row.get(1)?,
            key_hash: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
