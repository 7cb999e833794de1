//! Reading connections, kept for the next reader.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use super::connection;
use super::error::StoreError;

/// Idle reading connections.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
        }
    }

    pub(super) fn read<T, E>(&self, work: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        let connection = self.take()?;
        let result = in_snapshot(&connection, work);
        // A connection that is still inside a transaction is not given to anybody else.
        if connection.is_autocommit() {
            self.idle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(connection);
        }
        result
    }

    fn take(&self) -> Result<Connection, StoreError> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        idle.map_or_else(|| connection::open_for_reading(&self.path), Ok)
    }
}

/// All statements of `work` see the same state.
fn in_snapshot<T, E: From<StoreError>>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    let snapshot = connection
        .unchecked_transaction()
        .map_err(StoreError::from)?;
    let result = work(&snapshot);
    snapshot.finish().map_err(StoreError::from)?;
    result
}
