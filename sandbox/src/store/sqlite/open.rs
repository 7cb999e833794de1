//! Opening connections to SQLite. Nothing else in the crate opens one.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection as Sqlite, OpenFlags};

use crate::store::connection::{Connection, Engine};
use crate::store::error::StoreError;
use crate::store::flush::Flush;
use crate::store::schema;

/// How long to wait for another process that holds the database.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many prepared statements a connection keeps.
const STATEMENTS: usize = 256;

/// How many pages the log takes before they go into the file: a page that many commits change goes
/// there once.
const CHECKPOINT: u32 = 4_000;

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

/// What [`Settings`] usually are on every writing connection: journal mode, `synchronous`, foreign keys.
pub const DURABLE: (&str, i64, bool) = ("wal", 2, true);

/// Reads the settings back from a connection.
pub fn settings(connection: &Connection) -> Result<Settings, StoreError> {
    Ok(Settings {
        journal_mode: connection.value("PRAGMA journal_mode", &[])?,
        synchronous: connection.value("PRAGMA synchronous", &[])?,
        foreign_keys: connection.value("PRAGMA foreign_keys", &[])?,
    })
}

/// Opens the file for writing and makes sure that the durable settings took.
pub(in crate::store) fn for_writing(path: &Path, flush: Flush) -> Result<Connection, StoreError> {
    let sqlite = Sqlite::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    let connection = prepared(sqlite)?;
    // Before anything of the file is changed.
    schema::recognise(&connection)?;
    set(&connection, flush)?;
    let taken = settings(&connection)?;
    for (took, setting) in [
        (taken.journal_mode == DURABLE.0, "journal_mode = WAL"),
        (taken.synchronous == flush.sqlite(), "synchronous"),
        (taken.foreign_keys == DURABLE.2, "foreign_keys = ON"),
    ] {
        if !took {
            return Err(StoreError::Setting(setting));
        }
    }
    Ok(connection)
}

/// Opens the file so that nothing can be written through the connection.
pub(in crate::store) fn for_reading(path: &Path) -> Result<Connection, StoreError> {
    let sqlite = Sqlite::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    // A read-only handle could not create the shared-memory file of the log; this can, and
    // refuses every write all the same.
    sqlite.pragma_update(None, "query_only", true)?;
    prepared(sqlite)
}

/// A database that lives as long as the connection does.
pub(in crate::store) fn in_memory() -> Result<Connection, StoreError> {
    let sqlite = Sqlite::open_in_memory()?;
    sqlite.pragma_update(None, "foreign_keys", DURABLE.2)?;
    prepared(sqlite)
}

fn prepared(sqlite: Sqlite) -> Result<Connection, StoreError> {
    sqlite.busy_timeout(PATIENCE)?;
    // Otherwise a statement whose plan might depend on its values, as where an index is partial, is
    // planned anew each time that it is run.
    sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    sqlite.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(Connection(Engine::Sqlite(sqlite)))
}

fn set(connection: &Connection, flush: Flush) -> Result<(), StoreError> {
    connection.batch(&format!(
        "PRAGMA journal_mode = {}; PRAGMA synchronous = {}; PRAGMA foreign_keys = {};
         PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = {CHECKPOINT};",
        DURABLE.0,
        flush.sqlite(),
        i64::from(DURABLE.2)
    ))
}
