//! What can go wrong with the database.

/// The database refused, or what it holds makes no sense.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// SQLite reported an error.
    #[error("database: {0}")]
    Sqlite(String),
    /// A setting that durability rests on did not take.
    #[error("the database does not take the setting {0}")]
    Setting(&'static str),
    /// The file is a database that another program made.
    #[error("the file is a database, but not one of the sandbox")]
    Foreign,
    /// The database was made by a newer version.
    #[error("the database has version {found}, this program knows up to {known}")]
    Version {
        /// The version in the file.
        found: i64,
        /// The newest version this program can use.
        known: i64,
    },
    /// A stored value cannot be read back.
    #[error("the database holds an invalid {0}")]
    Corrupt(&'static str),
    /// The row is no longer as it was when the decision was made.
    #[error("the record was changed meanwhile")]
    Stale,
    /// A balance would not fit into its column.
    #[error("a balance exceeds what the ledger can hold")]
    BalanceTooLarge,
    /// The group of writes could not be committed: none of it counts.
    #[error("commit failed: {0}")]
    Commit(String),
    /// A write panicked: a mistake in the program.
    #[error("a write went wrong half-way and was undone")]
    Panicked,
    /// The writing thread has ended.
    #[error("the database is closed")]
    Closed,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error.to_string())
    }
}
