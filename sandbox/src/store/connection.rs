//! One connection to either database, for statements that are written once.
//!
//! Placeholders are `$1`, `$2`, …; `FOR UPDATE`, `FOR NO KEY UPDATE` and `FOR SHARE` at the end of a
//! query lock what it found where several connections write, and mean nothing where there is one.

use std::cell::Cell;
use std::str::FromStr;

use super::error::StoreError;
use super::tenants::Present;
use super::value::{Column, Raw, Value};
use super::{Merchant, postgres, sqlite};

/// A connection inside a transaction of one of the databases.
#[derive(Debug)]
pub struct Connection(pub(super) Engine);

/// Which database it is.
#[derive(Debug)]
pub(super) enum Engine {
    Sqlite(rusqlite::Connection),
    Postgres(Box<postgres::Session>),
}

/// A row of a result.
#[derive(Debug)]
pub struct Row<'a> {
    source: Source<'a>,
    /// Where the next column is looked for first: most are read in the order they come.
    next: Cell<usize>,
}

/// Where the row comes from.
#[derive(Debug)]
enum Source<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl Connection {
    /// Runs a statement and tells how many rows it changed.
    pub fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        check(values)?;
        match &self.0 {
            Engine::Sqlite(connection) => sqlite::execute(connection, sql, values),
            Engine::Postgres(session) => session.execute(sql, values),
        }
    }

    /// Runs a statement whose effect is not asked for; where that saves a round trip, together with
    /// the next one. What is wrong with it is then told by that, or by the commit.
    pub fn write(&self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        check(values)?;
        match &self.0 {
            Engine::Sqlite(connection) => sqlite::execute(connection, sql, values).map(|_| ()),
            Engine::Postgres(session) => session.defer(sql, values, None),
        }
    }

    /// Runs a statement that changes one row, unless somebody else was faster; like [`Self::write`].
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

    /// Reads every row of a query.
    pub fn all<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        check(values)?;
        let mut found = Vec::new();
        let mut keep = |row: &Row<'_>| {
            found.push(read(row)?);
            Ok(())
        };
        match &self.0 {
            Engine::Sqlite(connection) => sqlite::query(connection, sql, values, &mut keep)?,
            Engine::Postgres(session) => session.query(sql, values, &mut keep)?,
        }
        Ok(found)
    }

    /// Reads the only row of a query, if there is one.
    pub fn find<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.all(sql, values, read)?.into_iter().next())
    }

    /// Reads the first column of the only row of a query, which has to be there.
    pub fn value<T: Column>(&self, sql: &str, values: &[Value<'_>]) -> Result<T, StoreError> {
        let found = self.find(sql, values, |row| row.at(0))?;
        found.ok_or(StoreError::Corrupt("row"))
    }

    /// Whether a query finds anything.
    pub fn exists(&self, sql: &str, values: &[Value<'_>]) -> Result<bool, StoreError> {
        Ok(self.find(sql, values, |_| Ok(()))?.is_some())
    }

    /// Runs `work` so that all it wrote is undone when it fails, and nothing else.
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

    /// Lets the rest of the transaction see the records as they are at one moment, whatever others
    /// commit meanwhile. Only before anything was read.
    pub(super) fn see_one_moment(&self) -> Result<(), StoreError> {
        match &self.0 {
            // Nobody else writes meanwhile.
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(session) => {
                session.batch("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            }
        }
    }

    /// Runs statements that come without values, such as those of the schema.
    pub(super) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        match &self.0 {
            Engine::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Engine::Postgres(session) => session.batch(sql),
        }
    }

    /// The number of the balances that this connection adds to: no other adds to them meanwhile.
    pub(super) fn shard(&self) -> i64 {
        match &self.0 {
            Engine::Sqlite(_) => 0,
            Engine::Postgres(session) => session.shard(),
        }
    }

    /// What was last remembered of a merchant in this transaction.
    pub(super) fn remembered(&self, merchant: Merchant) -> Option<Present> {
        match &self.0 {
            Engine::Sqlite(_) => None,
            Engine::Postgres(session) => session.memory().get(&merchant).copied(),
        }
    }

    /// Remembers it until the end of the transaction, or until it is forgotten. SQLite, which is asked
    /// at no cost, need not.
    pub(super) fn remember(&self, merchant: Merchant, present: Present) {
        if let Engine::Postgres(session) = &self.0 {
            session.memory().insert(merchant, present);
        }
    }

    /// Forgets what was remembered, which is about to change.
    pub(super) fn forget(&self) {
        if let Engine::Postgres(session) = &self.0 {
            session.memory().clear();
        }
    }

    /// Whether this is PostgreSQL, where the catalogue has other names.
    pub(super) fn is_postgres(&self) -> bool {
        matches!(self.0, Engine::Postgres(_))
    }
}

impl Row<'_> {
    /// The column of that name.
    pub fn get<T: Column>(&self, name: &'static str) -> Result<T, StoreError> {
        let place = self.place(name).ok_or(StoreError::Corrupt(name))?;
        self.next.set(place + 1);
        self.raw(place)?
            .and_then(T::read)
            .ok_or(StoreError::Corrupt(name))
    }

    /// The column at that place.
    pub fn at<T: Column>(&self, place: usize) -> Result<T, StoreError> {
        let raw = self.raw(place)?;
        raw.and_then(T::read).ok_or(StoreError::Corrupt("column"))
    }

    /// The column of that name, whose text is read as something else.
    pub fn parsed<T: FromStr>(&self, name: &'static str) -> Result<T, StoreError> {
        let text: String = self.get(name)?;
        text.parse().map_err(|_| StoreError::Corrupt(name))
    }

    /// The column of that name, whose text, if there is any, is read as something else.
    pub fn optional<T: FromStr>(&self, name: &'static str) -> Result<Option<T>, StoreError> {
        let text: Option<String> = self.get(name)?;
        text.map(|text| text.parse().map_err(|_| StoreError::Corrupt(name)))
            .transpose()
    }

    fn place(&self, name: &str) -> Option<usize> {
        let (count, next) = (self.source.columns(), self.next.get());
        (next..count)
            .chain(0..next.min(count))
            .find(|place| self.source.is_named(*place, name))
    }

    fn raw(&self, place: usize) -> Result<Option<Raw<'_>>, StoreError> {
        Ok(match &self.source {
            Source::Sqlite(row) => sqlite::raw(row.get_ref(place)?),
            Source::Postgres(row) => postgres::raw(row, place),
        })
    }
}

impl Source<'_> {
    fn columns(&self) -> usize {
        match self {
            Self::Sqlite(row) => row.as_ref().column_count(),
            Self::Postgres(row) => row.len(),
        }
    }

    fn is_named(&self, place: usize, name: &str) -> bool {
        match self {
            Self::Sqlite(row) => row.as_ref().column_name(place) == Ok(name),
            Self::Postgres(row) => row.columns()[place].name() == name,
        }
    }
}

fn check(values: &[Value<'_>]) -> Result<(), StoreError> {
    values.iter().try_for_each(Value::check)
}

/// A reader of rows that is told of them one by one.
pub(super) type Reader<'a> = dyn FnMut(&Row<'_>) -> Result<(), StoreError> + 'a;

impl<'a> From<&'a rusqlite::Row<'a>> for Row<'a> {
    fn from(row: &'a rusqlite::Row<'a>) -> Self {
        Self {
            source: Source::Sqlite(row),
            next: Cell::new(0),
        }
    }
}

impl<'a> From<&'a tokio_postgres::Row> for Row<'a> {
    fn from(row: &'a tokio_postgres::Row) -> Self {
        Self {
            source: Source::Postgres(row),
            next: Cell::new(0),
        }
    }
}
