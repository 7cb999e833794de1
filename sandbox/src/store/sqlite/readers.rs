//! A pool of reading connections.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::open;
use crate::store::connection::{Connection, Engine};
use crate::store::error::StoreError;

/// Idle reading connections.
#[derive(Debug)]
pub(in crate::store) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(in crate::store) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
        }
    }

    pub(in crate::store) fn read<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        let connection = self.take()?;
        let result = in_snapshot(&connection, work);
        // A connection that is still inside a transaction is not reused.
        if matches!(&connection.0, Engine::Sqlite(sqlite) if sqlite.is_autocommit()) {
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
        idle.map_or_else(|| open::for_reading(&self.path), Ok)
    }
}

/// Runs `work` in one transaction, so that all its statements see the same state.
fn in_snapshot<T, E: From<StoreError>>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    connection.execute("BEGIN", &[])?;
    let result = work(connection);
    connection.execute("ROLLBACK", &[])?;
    result
}
