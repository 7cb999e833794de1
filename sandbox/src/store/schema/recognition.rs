//! Whether a database is ours, and of which version.

use super::VERSION;
use crate::store::connection::Connection;
use crate::store::error::StoreError;

/// What marks a file of SQLite as ours: `MPay`.
const APPLICATION: i64 = 0x4D50_6179;

/// Refuses a database of another version, and one that holds what another program put there. An
/// empty one will do.
pub(in crate::store) fn recognise(connection: &Connection) -> Result<(), StoreError> {
    if connection.is_postgres() {
        return recognise_postgres(connection);
    }
    let found: i64 = connection.value("PRAGMA user_version", &[])?;
    let application: i64 = connection.value("PRAGMA application_id", &[])?;
    if is_empty(connection)? && found == 0 {
        return Ok(());
    }
    if application == APPLICATION || found > VERSION || is_first(connection)? {
        return version(found);
    }
    Err(StoreError::Foreign)
}

/// Whether there are no tables yet.
pub(super) fn is_empty(connection: &Connection) -> Result<bool, StoreError> {
    let things: i64 = connection.value(
        if connection.is_postgres() {
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()"
        } else {
            "SELECT count(*) FROM sqlite_schema"
        },
        &[],
    )?;
    Ok(things == 0)
}

/// Whether these are tables of the first version, which did not sign them.
fn is_first(connection: &Connection) -> Result<bool, StoreError> {
    let ours: i64 = connection.value(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('postings', 'answers')",
        &[],
    )?;
    Ok(ours == 2)
}

/// Writes down whose database this is now.
pub(super) fn sign(connection: &Connection) -> Result<(), StoreError> {
    connection.batch(&if connection.is_postgres() {
        format!(
            "CREATE TABLE version (number BIGINT NOT NULL); INSERT INTO version VALUES ({VERSION})"
        )
    } else {
        format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}")
    })
}

fn recognise_postgres(connection: &Connection) -> Result<(), StoreError> {
    if is_empty(connection)? {
        return Ok(());
    }
    let signed: bool = connection.value(
        "SELECT to_regclass('version') IS NOT NULL AND to_regclass('entries') IS NOT NULL",
        &[],
    )?;
    if !signed {
        return Err(StoreError::Foreign);
    }
    version(connection.value("SELECT number FROM version", &[])?)
}

fn version(found: i64) -> Result<(), StoreError> {
    if found == VERSION {
        return Ok(());
    }
    Err(StoreError::Version {
        found,
        known: VERSION,
    })
}
