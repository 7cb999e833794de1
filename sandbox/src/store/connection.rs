//! A connection to SQLite or PostgreSQL that runs the same statements on both.
//!
//! Placeholders are `$1`, `$2`, …. `FOR UPDATE`, `FOR NO KEY UPDATE` and `FOR SHARE` at the end of
//! a query lock its rows on PostgreSQL. SQLite ignores them, because it has a single writer.

use super::Merchant;
use super::engine::{Row, Session, sqlite};
use super::error::StoreError;
use super::present::Present;
use super::value::{Column, Value};

/// A connection inside a transaction of one of the databases.
#[derive(Debug)]
pub struct Connection(pub(super) Engine);

/// The database behind the connection.
#[derive(Debug)]
pub(super) enum Engine {
    Sqlite(rusqlite::Connection),
    Postgres(Box<Session>),
}

impl Connection {
    /// Runs a statement and returns the number of changed rows.
    pub fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        check(values)?;
        match &self.0 {
            Engine::Sqlite(connection) => sqlite::execute(connection, sql, values),
            Engine::Postgres(session) => session.execute(sql, values),
        }
    }

    /// Runs a statement without returning its effect. PostgreSQL sends it together with the next
    /// statement to save a round trip; the next statement or the commit then reports its error.
    pub fn write(&self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        check(values)?;
        match &self.0 {
            Engine::Sqlite(connection) => sqlite::execute(connection, sql, values).map(|_| ()),
            Engine::Postgres(session) => session.defer(sql, values, None),
        }
    }

    /// Like [`Self::write`], but fails with [`StoreError::Stale`] unless the statement changes one
    /// row.
    pub fn write_one(&self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        check(values)?;
        match &self.0 {
            Engine::Sqlite(connection) => match sqlite::execute(connection, sql, values)? {
                1 => Ok(()),
                _ => Err(StoreError::Stale),
            },
            Engine::Postgres(session) => session.defer(sql, values, Some(1)),
        }
    }

    /// Calls `read` for every row of a query.
    pub fn each(
        &self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        check(values)?;
        match &self.0 {
            Engine::Sqlite(connection) => sqlite::query(connection, sql, values, &mut read),
            Engine::Postgres(session) => session.query(sql, values, &mut read),
        }
    }

    /// Reads every row of a query.
    pub fn all<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.each(sql, values, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Reads the only row of a query; `None` when there is no row.
    pub fn find<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.all(sql, values, read)?.into_iter().next())
    }

    /// Reads the first column of the only row of a query; fails when there is no row.
    pub fn value<T: Column>(&self, sql: &str, values: &[Value<'_>]) -> Result<T, StoreError> {
        let found = self.find(sql, values, |row| row.at(0))?;
        found.ok_or(StoreError::Corrupt("row"))
    }

    /// Whether a query returns a row.
    pub fn exists(&self, sql: &str, values: &[Value<'_>]) -> Result<bool, StoreError> {
        Ok(self.find(sql, values, |_| Ok(()))?.is_some())
    }

    /// Runs `work` in a savepoint, and rolls back to the savepoint when it fails.
    pub fn attempt<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.0 {
            Engine::Sqlite(_) => self.batch("SAVEPOINT attempt")?,
            Engine::Postgres(session) => session.begin_attempt()?,
        }
        let result = work().and_then(|value| {
            match &self.0 {
                Engine::Sqlite(_) => self.batch("RELEASE attempt")?,
                Engine::Postgres(session) => session.end_attempt()?,
            }
            Ok(value)
        });
        if result.is_err() {
            match &self.0 {
                Engine::Sqlite(_) => self.batch("ROLLBACK TO attempt; RELEASE attempt")?,
                Engine::Postgres(session) => session.undo_attempt()?,
            }
        }
        result
    }

    /// Makes the rest of the transaction read one consistent snapshot. Call it before the first
    /// read.
    pub(super) fn use_snapshot(&self) -> Result<(), StoreError> {
        match &self.0 {
            // No other connection writes meanwhile.
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(session) => {
                session.batch("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            }
        }
    }

    /// Runs statements without parameters, such as those of the schema.
    pub(super) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Engine::Postgres(session) => session.batch(sql),
        }
    }

    /// Fails when other sandbox connections are open. Connections that wait for the migration lock
    /// do not count.
    pub(super) fn require_exclusive(&self) -> Result<(), StoreError> {
        let Engine::Postgres(session) = &self.0 else {
            // No other connection writes between `BEGIN IMMEDIATE` and `COMMIT`.
            return Ok(());
        };
        match session.count_others()? {
            0 => Ok(()),
            count => Err(StoreError::InUse(count)),
        }
    }

    /// The shard of balances that only this connection updates.
    pub(super) fn shard(&self) -> i64 {
        match &self.0 {
            Engine::Sqlite(_) => 0,
            Engine::Postgres(session) => session.shard(),
        }
    }

    /// The cached [`Present`] of a merchant in this transaction.
    pub(super) fn cached(&self, merchant: Merchant) -> Option<Present> {
        match &self.0 {
            Engine::Sqlite(_) => None,
            Engine::Postgres(session) => session.cache().get(&merchant).copied(),
        }
    }

    /// Caches it until the end of the transaction or [`Self::clear_cache`]. SQLite needs no cache,
    /// because its queries take no round trip.
    pub(super) fn cache(&self, merchant: Merchant, present: Present) {
        if let Engine::Postgres(session) = &self.0 {
            session.cache().insert(merchant, present);
        }
    }

    /// Clears the cache before a change of the cached values.
    pub(super) fn clear_cache(&self) {
        if let Engine::Postgres(session) = &self.0 {
            session.cache().clear();
        }
    }

    /// Whether the database is PostgreSQL.
    pub(super) fn is_postgres(&self) -> bool {
        matches!(self.0, Engine::Postgres(_))
    }
}

fn check(values: &[Value<'_>]) -> Result<(), StoreError> {
    values.iter().try_for_each(Value::check)
}
