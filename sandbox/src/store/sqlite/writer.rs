//! The writing thread: commits many writes at once and answers them afterwards.

use std::sync::Arc;
use std::thread;

use tokio::sync::mpsc;

use crate::store::connection::{Connection, Engine};
use crate::store::counters::Counters;
use crate::store::error::StoreError;
use crate::store::job::{Fate, Job};

/// The capacity of the queue; callers wait while it is full.
const QUEUE: usize = 1024;

/// The queue's sender. The writing thread ends when it is dropped.
#[derive(Debug)]
pub(in crate::store) struct Writer {
    queue: mpsc::Sender<Box<dyn Job>>,
}

impl Writer {
    /// Starts the thread; at most `group` writes share a commit.
    pub(in crate::store) fn start(
        connection: Connection,
        group: usize,
        counters: Arc<Counters>,
    ) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || serve(&connection, jobs, group, &counters))
            .map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self { queue })
    }

    /// The number of queued jobs.
    pub(in crate::store) fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    pub(in crate::store) async fn send(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        self.queue.send(job).await.map_err(|_| StoreError::Closed)
    }
}

/// Repeats: takes all queued jobs up to `limit`, runs and commits them, and answers them.
fn serve(
    connection: &Connection,
    mut jobs: mpsc::Receiver<Box<dyn Job>>,
    limit: usize,
    counters: &Counters,
) {
    while let Some(first) = jobs.blocking_recv() {
        let mut group = vec![first];
        while group.len() < limit
            && let Ok(next) = jobs.try_recv()
        {
            group.push(next);
        }
        let commit = write(connection, &mut group);
        match &commit {
            Ok(()) => {
                counters.committed(group.len());
            }
            Err(error) => tracing::error!(%error, writes = group.len(), "group not committed"),
        }
        for job in group {
            job.answer(commit.clone());
        }
    }
}

/// Runs a group inside one transaction.
fn write(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    let written = attempt(connection, group);
    if written.is_err() && in_transaction(connection) {
        // A failed rollback is repeated when the file is next opened.
        let _ = run(connection, "ROLLBACK");
    }
    written
}

fn attempt(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    run(connection, "BEGIN IMMEDIATE")?;
    if !run_together(connection, group)? {
        run(connection, "ROLLBACK")?;
        run(connection, "BEGIN IMMEDIATE")?;
        run_separately(connection, group)?;
    }
    run(connection, "COMMIT").map_err(|error| StoreError::Commit(error.to_string()))
}

/// Runs the jobs without savepoints, which would take most of the time; returns false when the
/// writes of a failed job have to be undone.
fn run_together(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<bool, StoreError> {
    for job in group {
        let before = changes(connection);
        let fate = job.run(connection);
        still_in_transaction(connection)?;
        if fate != Fate::Commit && changes(connection) != before {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs each job in a savepoint.
fn run_separately(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    for job in group {
        run(connection, "SAVEPOINT job")?;
        if job.run(connection) != Fate::Commit && in_transaction(connection) {
            run(connection, "ROLLBACK TO job")?;
        }
        still_in_transaction(connection)?;
        run(connection, "RELEASE job")?;
    }
    Ok(())
}

/// Checks that the transaction is still open: SQLite may roll it back by itself, for example when
/// the disk is full.
fn still_in_transaction(connection: &Connection) -> Result<(), StoreError> {
    if in_transaction(connection) {
        return Ok(());
    }
    let detail = "the transaction was rolled back";
    Err(StoreError::Commit(detail.to_owned()))
}

/// The number of rows that the connection has changed since it was opened.
fn changes(connection: &Connection) -> u64 {
    match &connection.0 {
        Engine::Sqlite(sqlite) => sqlite.total_changes(),
        Engine::Postgres(_) => 0,
    }
}

fn in_transaction(connection: &Connection) -> bool {
    matches!(&connection.0, Engine::Sqlite(sqlite) if !sqlite.is_autocommit())
}

fn run(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    connection.execute(sql, &[]).map(|_| ())
}
