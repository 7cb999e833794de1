//! Opening connections. Nothing else in the crate opens one.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::StoreError;
use super::migrations;

/// How long to wait for another process that holds the database.
const PATIENCE: Duration = Duration::from_secs(5);

/// The settings that durability and integrity rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `journal_mode`.
    pub journal_mode: String,
    /// `synchronous`, as SQLite numbers it: 2 is `FULL`.
    pub synchronous: i64,
    /// `foreign_keys`.
    pub foreign_keys: bool,
}

/// What [`Settings`] are on every writing connection: journal mode, `synchronous`, foreign keys.
pub const DURABLE: (&str, i64, bool) = ("wal", 2, true);

/// Reads the settings back from a connection.
pub fn settings(connection: &Connection) -> Result<Settings, StoreError> {
    Ok(Settings {
        journal_mode: connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?,
        synchronous: connection.pragma_query_value(None, "synchronous", |row| row.get(0))?,
        foreign_keys: connection.pragma_query_value(None, "foreign_keys", |row| row.get(0))?,
    })
}

/// Opens the file for writing and makes sure that the durable settings took.
pub(super) fn open_for_writing(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    prepare(&connection)?;
    // Before anything of the file is changed.
    migrations::recognise(&connection)?;
    connection.pragma_update(None, "journal_mode", DURABLE.0)?;
    connection.pragma_update(None, "synchronous", DURABLE.1)?;
    connection.pragma_update(None, "foreign_keys", DURABLE.2)?;
    let taken = settings(&connection)?;
    for (took, setting) in [
        (taken.journal_mode == DURABLE.0, "journal_mode = WAL"),
        (taken.synchronous == DURABLE.1, "synchronous = FULL"),
        (taken.foreign_keys == DURABLE.2, "foreign_keys = ON"),
    ] {
        if !took {
            return Err(StoreError::Setting(setting));
        }
    }
    Ok(connection)
}

/// Opens the file so that nothing can be written through the connection.
pub(super) fn open_for_reading(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    prepare(&connection)?;
    // A read-only handle could not create the shared-memory file of the log; this can, and
    // refuses every write all the same.
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}
