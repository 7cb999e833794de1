//! Recognises a database: whether it is the sandbox's, its version, and whether its tables are complete.

use std::collections::BTreeSet;

use super::{VERSION, create_tables};
use crate::store::connection::Connection;
use crate::store::error::StoreError;

/// The application id that marks an SQLite file as ours: `MPay`.
const APPLICATION: i64 = 0x4D50_6179;

/// Refuses a database of a later version or of another program. Accepts an empty database and one
/// of an earlier version.
pub(in crate::store) fn recognise(connection: &Connection) -> Result<(), StoreError> {
    found(connection).map(drop)
}

/// Refuses a database of any other version, for readers that must not migrate it.
pub(in crate::store) fn recognise_present(connection: &Connection) -> Result<(), StoreError> {
    match found(connection)? {
        None | Some(VERSION) => Ok(()),
        Some(found) => Err(StoreError::Earlier {
            found,
            known: VERSION,
        }),
    }
}

/// The version of the tables; `None` when the database is empty.
pub(super) fn found(connection: &Connection) -> Result<Option<i64>, StoreError> {
    let found = if connection.is_postgres() {
        found_in_postgres(connection)?
    } else {
        found_in_sqlite(connection)?
    };
    if let Some(found) = found.filter(|found| *found > VERSION) {
        return Err(StoreError::Later {
            found,
            known: VERSION,
        });
    }
    Ok(found)
}

fn found_in_sqlite(connection: &Connection) -> Result<Option<i64>, StoreError> {
    let found: i64 = connection.value("PRAGMA user_version", &[])?;
    let application: i64 = connection.value("PRAGMA application_id", &[])?;
    if is_empty(connection)? && found == 0 {
        return Ok(None);
    }
    if application == APPLICATION || found > VERSION || is_first(connection)? {
        return Ok(Some(found));
    }
    Err(StoreError::Foreign)
}

fn found_in_postgres(connection: &Connection) -> Result<Option<i64>, StoreError> {
    if is_empty(connection)? {
        return Ok(None);
    }
    let signed: bool = connection.value(
        "SELECT to_regclass('version') IS NOT NULL AND to_regclass('entries') IS NOT NULL",
        &[],
    )?;
    if !signed {
        return Err(StoreError::Foreign);
    }
    connection
        .value("SELECT number FROM version", &[])
        .map(Some)
}

/// Whether the database has no tables.
fn is_empty(connection: &Connection) -> Result<bool, StoreError> {
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

/// Whether the tables are those of version 1, which did not mark the file.
fn is_first(connection: &Connection) -> Result<bool, StoreError> {
    let ours: i64 = connection.value(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('postings', 'answers')",
        &[],
    )?;
    Ok(ours == 2)
}

/// Marks the database as ours, with the present version.
pub(super) fn sign(connection: &Connection) -> Result<(), StoreError> {
    connection.batch(&if connection.is_postgres() {
        format!(
            "CREATE TABLE IF NOT EXISTS version (number BIGINT NOT NULL); DELETE FROM version;
             INSERT INTO version VALUES ({VERSION})"
        )
    } else {
        format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}")
    })
}

/// Refuses tables with a missing or an extra column, as after an incomplete restore or a manual change.
pub(super) fn check_columns(
    connection: &Connection,
    reference: &Connection,
) -> Result<(), StoreError> {
    let found = columns(connection)?;
    create_tables(reference)?;
    let mut wanted = columns(reference)?;
    if connection.is_postgres() {
        wanted.insert("version.number".to_owned());
    }
    let lacking = wanted
        .difference(&found)
        .map(|name| format!("lacks {name}"));
    let surplus = found.difference(&wanted).map(|name| format!("has {name}"));
    let differences: Vec<String> = lacking.chain(surplus).collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(StoreError::Tables(differences.join(", ")))
}

/// The columns of all tables, as `table.column`.
fn columns(connection: &Connection) -> Result<BTreeSet<String>, StoreError> {
    let sql = if connection.is_postgres() {
        "SELECT table_name || '.' || column_name FROM information_schema.columns
         WHERE table_schema = current_schema()"
    } else {
        "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'"
    };
    let all = connection.all(sql, &[], |row| row.at(0))?;
    Ok(all.into_iter().collect())
}
