//! One connection to PostgreSQL, with the statements it has prepared.
//!
//! What nobody waits for travels with what somebody does: the beginning of a transaction, and
//! writes whose effect is not asked for, are sent together with the next statement.

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

/// The schema inside the database that everything is in.
pub(in crate::store) const SCHEMA: &str = "sandbox";
/// The class of the advisory locks by which connections divide the balances among themselves.
const SHARDS: i32 = 0x5AD;
/// How long to wait for a server that may not be there.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many writes may wait for the next statement.
const DEFERRED: usize = 16;

/// A connection.
pub(in crate::store) struct Session {
    /// Talks to the server while somebody waits for it.
    runtime: Runtime,
    client: Client,
    statements: RefCell<HashMap<String, Statement>>,
    deferred: RefCell<Vec<Deferred>>,
    /// What need not be asked for again in this transaction.
    memory: RefCell<HashMap<Merchant, Present>>,
    /// How many statements there were that may write.
    written: Cell<u64>,
    /// What first went wrong since the transaction began, so that nothing of it can be kept.
    trouble: RefCell<Option<StoreError>>,
    shard: i64,
}

/// What is sent together with the next statement.
enum Deferred {
    Begin(&'static str),
    Write(Write),
}

/// A statement that writes, and how many rows it has to change, if that matters.
struct Write {
    statement: Statement,
    values: Vec<Value<'static>>,
    rows: Option<u64>,
}

impl Deferred {
    /// Whether it may turn out only here that it has failed: the server then goes on.
    const fn is_judged_here(&self) -> bool {
        matches!(self, Self::Write(Write { rows: Some(_), .. }))
    }
}

impl Session {
    /// Connects, and takes a number that no other connection to this database has.
    pub(in crate::store) fn connect(config: &Config, flush: Flush) -> Result<Self, StoreError> {
        let mut config = config.clone();
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        // A server that has vanished without a word is found out about.
        config.tcp_user_timeout(2 * PATIENCE);
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
            memory: RefCell::default(),
            written: Cell::default(),
            trouble: RefCell::default(),
            shard,
        })
    }

    /// Begins a transaction with the next statement.
    pub(in crate::store) fn begin(&self, sql: &'static str) {
        self.trouble.take();
        self.memory.borrow_mut().clear();
        self.deferred.borrow_mut().push(Deferred::Begin(sql));
    }

    pub(in crate::store) fn memory(&self) -> RefMut<'_, HashMap<Merchant, Present>> {
        self.memory.borrow_mut()
    }

    /// How many statements there were that may have written something.
    pub(in crate::store) const fn written(&self) -> u64 {
        self.written.get()
    }

    /// Whether something has gone wrong since the transaction began, so that nothing of it can be
    /// kept.
    pub(in crate::store) fn has_failed(&self) -> bool {
        self.trouble.borrow().is_some()
    }

    /// Commits what was written, all of it or nothing.
    ///
    /// After an error the server answers a commit by undoing everything, and calls that a success: so
    /// it is not asked, even if whoever saw the error has passed over it.
    pub(in crate::store) fn commit(&self) -> Result<(), StoreError> {
        let deferred = self.deferred.borrow();
        let unjudged = deferred.iter().any(Deferred::is_judged_here);
        drop(deferred);
        if unjudged {
            // What goes wrong is remembered like everything else.
            let _ = self.batch("");
        }
        let Some(trouble) = self.trouble.take() else {
            return self.batch("COMMIT");
        };
        self.roll_back()?;
        Err(trouble)
    }

    /// Begins what may be undone without the rest.
    pub(in crate::store) fn begin_attempt(&self) -> Result<(), StoreError> {
        self.batch("SAVEPOINT attempt")
    }

    /// Ends what may be undone. Whatever is wrong with it is known by then.
    pub(in crate::store) fn end_attempt(&self) -> Result<(), StoreError> {
        self.batch("")?;
        self.batch("RELEASE attempt")
    }

    /// Undoes what was written since the attempt began, which nothing was wrong before.
    pub(in crate::store) fn undo_attempt(&self) -> Result<(), StoreError> {
        self.deferred.take();
        self.memory.borrow_mut().clear();
        self.trouble.take();
        self.batch("ROLLBACK TO attempt; RELEASE attempt")
    }

    /// Undoes what was written. What was not sent yet never is.
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

    /// Runs a statement together with the next one, whose error is then that of the first that failed;
    /// it fails, too, unless it changes as many rows as it has to.
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

    /// Counts the other sandbox connections to the database. Those that wait for the migration lock do not count.
    pub(in crate::store) fn others(&self) -> Result<i64, StoreError> {
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

    /// Sends what was deferred, then the statement, without waiting in between. They are sent in the
    /// order in which they are first polled, which is that of the list.
    fn with_deferred<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StoreError> {
        let deferred = self.deferred.take();
        let earlier = join_all(deferred.iter().map(|deferred| self.send(deferred)));
        let (earlier, result) = self.runtime.block_on(join(earlier, statement));
        let ended = earlier.into_iter().collect::<Result<(), _>>();
        let ended = ended.and(result.map_err(StoreError::from));
        self.remember_trouble(ended.as_ref().err());
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

    fn remember_trouble(&self, trouble: Option<&StoreError>) {
        let mut first = self.trouble.borrow_mut();
        *first = first.take().or_else(|| trouble.cloned());
    }

    fn prepare(&self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.statements.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.runtime.block_on(self.client.prepare(sql));
        let prepared = prepared.map_err(StoreError::from);
        self.remember_trouble(prepared.as_ref().err());
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

/// The first number that is free; it becomes free again when the connection ends.
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
