//! Opens connections to SQLite; no other module opens one.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection as Sqlite, ErrorCode, OpenFlags};

use crate::store::connection::{Connection, Engine};
use crate::store::error::StoreError;
use crate::store::flush::Flush;
use crate::store::schema;

/// How long to wait for another process that locks the database.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause between two attempts that SQLite does not repeat itself.
const PAUSE: Duration = Duration::from_millis(10);
/// The number of prepared statements that a connection caches.
const STATEMENTS: usize = 256;

/// The number of pages in the write-ahead log before a checkpoint. A page that many commits change
/// is then written to the file once.
const CHECKPOINT: u32 = 4_000;

/// The settings that durability and integrity depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `journal_mode`.
    pub journal_mode: String,
    /// `synchronous`, as SQLite numbers it: 2 is `FULL`.
    pub synchronous: i64,
    /// `foreign_keys`.
    pub foreign_keys: bool,
}

/// The default [`Settings`] of a writing connection: journal mode, `synchronous`, foreign keys.
pub const DURABLE: (&str, i64, bool) = ("wal", 2, true);

/// Reads the settings back from a connection.
pub fn settings(connection: &Connection) -> Result<Settings, StoreError> {
    Ok(Settings {
        journal_mode: connection.value("PRAGMA journal_mode", &[])?,
        synchronous: connection.value("PRAGMA synchronous", &[])?,
        foreign_keys: connection.value("PRAGMA foreign_keys", &[])?,
    })
}

/// Opens the file for writing and verifies the durability settings.
pub(in crate::store) fn for_writing(path: &Path, flush: Flush) -> Result<Connection, StoreError> {
    let sqlite = Sqlite::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    let connection = prepared(sqlite)?;
    // Check before anything in the file changes; in a transaction, because another process may be
    // creating the tables.
    connection.batch("BEGIN")?;
    schema::recognise(&connection)?;
    connection.batch("ROLLBACK")?;
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

/// Opens the file with a connection that refuses writes.
pub(in crate::store) fn for_reading(path: &Path) -> Result<Connection, StoreError> {
    let sqlite = Sqlite::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    // A read-only handle cannot create the log's shared-memory file; this one can, and still
    // refuses every write.
    sqlite.pragma_update(None, "query_only", true)?;
    prepared(sqlite)
}

/// Opens an in-memory database that ends with the connection.
pub(in crate::store) fn in_memory() -> Result<Connection, StoreError> {
    let sqlite = Sqlite::open_in_memory()?;
    sqlite.pragma_update(None, "foreign_keys", DURABLE.2)?;
    prepared(sqlite)
}

fn prepared(sqlite: Sqlite) -> Result<Connection, StoreError> {
    sqlite.busy_timeout(PATIENCE)?;
    // Without this setting, SQLite plans a statement again on each run when its plan might depend
    // on its values, as with a partial index.
    sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    sqlite.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(Connection(Engine::Sqlite(sqlite)))
}

fn set(connection: &Connection, flush: Flush) -> Result<(), StoreError> {
    if let Engine::Sqlite(sqlite) = &connection.0 {
        write_ahead(sqlite)?;
    }
    connection.batch(&format!(
        "PRAGMA synchronous = {}; PRAGMA foreign_keys = {};
         PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = {CHECKPOINT};",
        flush.sqlite(),
        i64::from(DURABLE.2)
    ))
}

/// Switches the file to a write-ahead log. SQLite does not wait for another process that does the
/// same.
fn write_ahead(sqlite: &Sqlite) -> Result<(), StoreError> {
    let begun = Instant::now();
    loop {
        let switched = sqlite.pragma_update(None, "journal_mode", DURABLE.0);
        let code = switched
            .as_ref()
            .err()
            .and_then(rusqlite::Error::sqlite_error_code);
        if code != Some(ErrorCode::DatabaseBusy) || begun.elapsed() > PATIENCE {
            return Ok(switched?);
        }
        thread::sleep(PAUSE);
    }
}
