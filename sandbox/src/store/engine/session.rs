//! A PostgreSQL connection with its prepared statements.
//!
//! To save round trips, the start of a transaction and writes without a result are deferred. They
//! are sent together with the next statement.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use futures_util::future::{join, join_all};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::row::{Reader, Row};
use crate::store::Merchant;
use crate::store::error::StoreError;
use crate::store::flush::Flush;
use crate::store::present::Present;
use crate::store::value::Value;

/// The schema of all tables.
pub(in crate::store) const SCHEMA: &str = "sandbox";
/// The class of the advisory locks that assign a shard of the balances to each connection.
const SHARDS: i32 = 0x5AD;
/// How long to wait for an unreachable server.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The most writes that can be deferred.
const DEFERRED: usize = 16;

/// A connection.
pub(in crate::store) struct Session {
    /// Drives the connection while a call blocks on it.
    runtime: Runtime,
    client: Client,
    statements: RefCell<HashMap<String, Statement>>,
    deferred: RefCell<Vec<Deferred>>,
    /// Cached values for this transaction.
    cache: RefCell<HashMap<Merchant, Present>>,
    /// The number of statements that may have written.
    written: Cell<u64>,
    /// The first error since the transaction began; after it, the transaction cannot be committed.
    error: RefCell<Option<StoreError>>,
    shard: i64,
}

/// A statement that is sent together with the next one.
enum Deferred {
    Begin(&'static str),
    Write(Write),
}

/// A deferred write, with the number of rows that it has to change; `None` when any number is fine.
struct Write {
    statement: Statement,
    values: Vec<Value<'static>>,
    rows: Option<u64>,
}

impl Deferred {
    /// Whether only the client can detect the failure: a wrong number of rows is no error for the
    /// server.
    const fn needs_row_check(&self) -> bool {
        matches!(self, Self::Write(Write { rows: Some(_), .. }))
    }
}

impl Session {
    /// Connects and locks the first free shard.
    pub(in crate::store) fn connect(config: &Config, flush: Flush) -> Result<Self, StoreError> {
        let mut config = config.clone();
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(TIMEOUT);
        }
        // Detects a server that vanished without closing the connection.
        config.tcp_user_timeout(2 * TIMEOUT);
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Database(error.to_string()))?;
        let (client, shard) = runtime.block_on(async {
            let (client, connection) = config.connect(NoTls).await?;
            tokio::spawn(connection);
            let settings = format!(
                "SET search_path = {SCHEMA}; SET statement_timeout = '30s';
                 SET lock_timeout = '10s'; SET synchronous_commit = {};
                 SET idle_in_transaction_session_timeout = '60s'",
                flush.postgres()
            );
            client.batch_execute(&settings).await?;
            let shard = shard(&client).await?;
            Ok::<_, StoreError>((client, shard))
        })?;
        Ok(Self {
            runtime,
            client,
            statements: RefCell::default(),
            deferred: RefCell::default(),
            cache: RefCell::default(),
            written: Cell::default(),
            error: RefCell::default(),
            shard,
        })
    }

    /// Defers the start of a transaction until the next statement.
    pub(in crate::store) fn begin(&self, sql: &'static str) {
        self.error.take();
        self.cache.borrow_mut().clear();
        self.deferred.borrow_mut().push(Deferred::Begin(sql));
    }

    pub(in crate::store) fn cache(&self) -> RefMut<'_, HashMap<Merchant, Present>> {
        self.cache.borrow_mut()
    }

    /// The number of statements that may have written.
    pub(in crate::store) const fn written(&self) -> u64 {
        self.written.get()
    }

    /// Whether an error occurred since the transaction began, so that it cannot be committed.
    pub(in crate::store) fn has_failed(&self) -> bool {
        self.error.borrow().is_some()
    }

    /// Commits the transaction, or rolls it back when any statement failed.
    ///
    /// After an error, the server answers `COMMIT` with success although it rolls back. So the
    /// commit is not sent then, even if the caller ignored the error.
    pub(in crate::store) fn commit(&self) -> Result<(), StoreError> {
        let deferred = self.deferred.borrow();
        let unchecked = deferred.iter().any(Deferred::needs_row_check);
        drop(deferred);
        if unchecked {
            // An error is stored in `error`, like all errors.
            let _ = self.batch("");
        }
        let Some(error) = self.error.take() else {
            return self.batch("COMMIT");
        };
        self.roll_back()?;
        Err(error)
    }

    /// Begins a savepoint.
    pub(in crate::store) fn begin_attempt(&self) -> Result<(), StoreError> {
        self.batch("SAVEPOINT attempt")
    }

    /// Ends a savepoint. Deferred statements are sent first, so that their errors are known.
    pub(in crate::store) fn end_attempt(&self) -> Result<(), StoreError> {
        self.batch("")?;
        self.batch("RELEASE attempt")
    }

    /// Rolls back to the savepoint, and clears the error that occurred after it.
    pub(in crate::store) fn undo_attempt(&self) -> Result<(), StoreError> {
        self.deferred.take();
        self.cache.borrow_mut().clear();
        self.error.take();
        self.batch("ROLLBACK TO attempt; RELEASE attempt")
    }

    /// Rolls the transaction back. Deferred statements are dropped.
    pub(in crate::store) fn roll_back(&self) -> Result<(), StoreError> {
        let unsent = self.deferred.take();
        if matches!(unsent.first(), Some(Deferred::Begin(_))) {
            return Ok(());
        }
        self.batch("ROLLBACK")
    }

    pub(in crate::store) fn execute(
        &self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        let statement = self.prepare(sql)?;
        let values = bound(values);
        self.written.update(|count| count + 1);
        self.with_deferred(self.client.execute(&statement, &values))
    }

    /// Defers a write until the next statement, which then reports its error. Fails with
    /// [`StoreError::Stale`] when the number of changed rows is not `rows`.
    pub(in crate::store) fn defer(
        &self,
        sql: &str,
        values: &[Value<'_>],
        rows: Option<u64>,
    ) -> Result<(), StoreError> {
        let statement = self.prepare(sql)?;
        self.written.update(|count| count + 1);
        self.deferred.borrow_mut().push(Deferred::Write(Write {
            statement,
            values: values.iter().cloned().map(Value::into_owned).collect(),
            rows,
        }));
        if self.deferred.borrow().len() > DEFERRED {
            self.batch("")?;
        }
        Ok(())
    }

    pub(in crate::store) fn query(
        &self,
        sql: &str,
        values: &[Value<'_>],
        read: &mut Reader<'_>,
    ) -> Result<(), StoreError> {
        let statement = self.prepare(sql)?;
        let values = bound(values);
        if !sql.starts_with("SELECT") {
            self.written.update(|count| count + 1);
        }
        let rows = self.with_deferred(self.client.query(&statement, &values))?;
        rows.iter().try_for_each(|row| read(&Row::from(row)))
    }

    pub(in crate::store) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.with_deferred(self.client.batch_execute(sql))
    }

    /// Counts the other sandbox connections to the database. Those that wait for the migration lock
    /// do not count.
    pub(in crate::store) fn count_others(&self) -> Result<i64, StoreError> {
        let sql = "SELECT count(*) FROM pg_locks mine
             WHERE mine.locktype = 'advisory' AND mine.classid = $1 AND mine.granted
                 AND mine.pid <> pg_backend_pid()
                 AND mine.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                 AND NOT EXISTS (SELECT 1 FROM pg_locks waiting WHERE waiting.pid = mine.pid
                     AND waiting.locktype = 'advisory' AND NOT waiting.granted)";
        let mut found = 0;
        self.query(&sql.replace("$1", &SHARDS.to_string()), &[], &mut |row| {
            found = row.at(0)?;
            Ok(())
        })?;
        Ok(found)
    }

    pub(in crate::store) const fn shard(&self) -> i64 {
        self.shard
    }

    pub(in crate::store) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Sends the deferred statements and then `statement`, without waiting in between. They are
    /// sent in the order of their first poll, which is the order of the list.
    fn with_deferred<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StoreError> {
        let deferred = self.deferred.take();
        let earlier = join_all(deferred.iter().map(|deferred| self.send(deferred)));
        let (earlier, result) = self.runtime.block_on(join(earlier, statement));
        let ended = earlier.into_iter().collect::<Result<(), _>>();
        let ended = ended.and(result.map_err(StoreError::from));
        self.record_error(ended.as_ref().err());
        ended
    }

    async fn send(&self, deferred: &Deferred) -> Result<(), StoreError> {
        match deferred {
            Deferred::Begin(sql) => Ok(self.client.batch_execute(sql).await?),
            Deferred::Write(write) => {
                let values = bound(&write.values);
                let changed = self.client.execute(&write.statement, &values).await?;
                match write.rows {
                    Some(rows) if rows != changed => Err(StoreError::Stale),
                    _ => Ok(()),
                }
            }
        }
    }

    fn record_error(&self, error: Option<&StoreError>) {
        let mut first = self.error.borrow_mut();
        *first = first.take().or_else(|| error.cloned());
    }

    fn prepare(&self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.statements.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.runtime.block_on(self.client.prepare(sql));
        let prepared = prepared.map_err(StoreError::from);
        self.record_error(prepared.as_ref().err());
        let statement = prepared?;
        self.statements
            .borrow_mut()
            .insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Session({})", self.shard)
    }
}

/// Locks the first free shard number; the lock ends with the connection.
async fn shard(client: &Client) -> Result<i64, StoreError> {
    for number in 0.. {
        let sql = "SELECT pg_try_advisory_lock($1, $2)";
        let row = client.query_one(sql, &[&SHARDS, &number]).await?;
        if row.try_get(0)? {
            return Ok(i64::from(number));
        }
    }
    Err(StoreError::Closed)
}

fn bound<'a>(values: &'a [Value<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    values
        .iter()
        .map(|value| value as &(dyn ToSql + Sync))
        .collect()
}
