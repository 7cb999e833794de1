//! Errors of the database.

/// The database reported an error, or a stored value is invalid.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The database reported an error.
    #[error("database: {0}")]
    Database(String),
    /// The database cannot be reached, or the connection to it broke.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// SQLite rejected a setting that durability depends on.
    #[error("the database does not take the setting {0}")]
    Setting(&'static str),
    /// Another program created the database.
    #[error("there is something in the database that is not the sandbox's")]
    Foreign,
    /// A later version created the database.
    #[error(
        "the database has version {found}, this program supports up to {known}: use the sandbox that created it, \
         or a later one"
    )]
    Later {
        /// The version of the database.
        found: i64,
        /// The latest version that this program knows.
        known: i64,
    },
    /// An earlier version created the database, and this command must not migrate it.
    #[error(
        "the database has version {found}, this program reads {known}: start the sandbox once to migrate it"
    )]
    Earlier {
        /// The version of the database.
        found: i64,
        /// The version that this program reads.
        known: i64,
    },
    /// The tables do not match the version that the database records.
    #[error(
        "the tables do not match the version of the database, as after an incomplete restore: it {0}; nothing was \
         changed: restore a complete backup"
    )]
    Tables(String),
    /// Other programs use a database that needs a migration.
    #[error(
        "cannot migrate the database while {0} other sandbox connections are open; stop the other sandboxes, then \
         start this one again"
    )]
    InUse(i64),
    /// A stored value cannot be parsed.
    #[error("the database holds an invalid {0}")]
    Corrupt(&'static str),
    /// The details of a row cannot be parsed.
    #[error(
        "the details of row {id} in table {table} are {cause}; nothing was changed: restore the row from a \
         backup, or delete it"
    )]
    Details {
        /// The table.
        table: &'static str,
        /// The row.
        id: String,
        /// The cause, without quoting the row.
        cause: String,
    },
    /// A text has a NUL character, which PostgreSQL cannot store.
    #[error("a text with a NUL character cannot be kept")]
    Nul,
    /// Another write changed the record after it was read.
    #[error("the record was changed meanwhile")]
    Stale,
    /// A balance would exceed what the ledger can store.
    #[error("a balance exceeds what the ledger can hold")]
    BalanceTooLarge,
    /// The group of writes could not be committed; none of them has an effect.
    #[error("commit failed: {0}")]
    Commit(String),
    /// A write panicked, which is a bug.
    #[error("a write went wrong half-way and was undone")]
    Panicked,
    /// The store is closed.
    #[error("the database is closed")]
    Closed,
}

/// An error that a concurrent write may have caused.
pub trait Conflict {
    /// Whether a retry on the present state may succeed.
    fn is_conflict(&self) -> bool;
}

impl Conflict for StoreError {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Stale)
    }
}

/// The constraint that limits balances; both databases name it in their messages.
const BOUNDS: &str = "balance_within_bounds";

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let text = error.to_string();
        if text.contains(BOUNDS) {
            return Self::BalanceTooLarge;
        }
        Self::Database(text)
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        use tokio_postgres::error::SqlState;

        let Some(reported) = error.as_db_error() else {
            let source = std::error::Error::source(&error).map(ToString::to_string);
            return Self::Unreachable(source.unwrap_or_else(|| error.to_string()));
        };
        let state = reported.code();
        if reported.constraint() == Some(BOUNDS) {
            Self::BalanceTooLarge
        } else if [
            SqlState::UNIQUE_VIOLATION,
            // The row that it refers to was removed meanwhile.
            SqlState::FOREIGN_KEY_VIOLATION,
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
        ]
        .contains(state)
        {
            Self::Stale
        } else if [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
        ]
        .contains(state)
        {
            Self::Unreachable(reported.message().to_owned())
        } else {
            Self::Database(reported.message().to_owned())
        }
    }
}
