//! The writing thread: many writes, one commit, and only then the answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::error::StoreError;

/// How many writes may wait; beyond that, writers wait to get in.
const QUEUE: usize = 1024;
/// How many writes share one commit at most.
const GROUP: usize = 256;

/// The way to the writing thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    queue: mpsc::Sender<Box<dyn Job>>,
}

/// One write that waits for its turn.
trait Job: Send {
    /// Does the work and says whether it is to be kept.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Tells the caller how it went, once the fate of the commit is known.
    fn answer(self: Box<Self>, commit: Result<(), StoreError>);
}

struct Write<F, T, E> {
    work: Option<F>,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || serve(&connection, jobs))
            .map_err(|error| StoreError::Sqlite(error.to_string()))?;
        Ok(Self { queue })
    }

    pub(super) async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Write {
            work: Some(work),
            result: None,
            reply,
        };
        self.queue
            .send(Box::new(job))
            .await
            .map_err(|_| StoreError::Closed)?;
        answer
            .await
            .unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }
}

impl<F, T, E> Job for Write<F, T, E>
where
    F: FnOnce(&Connection) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.work.take() else {
            return false;
        };
        let result = catch_unwind(AssertUnwindSafe(|| work(connection)));
        let result = result.unwrap_or_else(|_| Err(StoreError::Panicked.into()));
        self.result.insert(result).is_ok()
    }

    fn answer(self: Box<Self>, commit: Result<(), StoreError>) {
        let result = match (self.result, commit) {
            // A refusal needs no commit to be true.
            (Some(Err(refusal)), _) => Err(refusal),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (_, Err(error)) => Err(error.into()),
            (None, Ok(())) => Err(StoreError::Closed.into()),
        };
        // A caller that has gone away does not care.
        let _ = self.reply.send(result);
    }
}

/// Takes all that waits, writes it, commits it, answers it; again and again.
fn serve(connection: &Connection, mut jobs: mpsc::Receiver<Box<dyn Job>>) {
    while let Some(first) = jobs.blocking_recv() {
        let mut group = vec![first];
        while group.len() < GROUP
            && let Ok(next) = jobs.try_recv()
        {
            group.push(next);
        }
        let commit = write(connection, &mut group);
        if let Err(error) = &commit {
            tracing::error!(%error, writes = group.len(), "group not committed");
        }
        for job in group {
            job.answer(commit.clone());
        }
    }
}

/// Runs a group inside one transaction, each job inside a savepoint of its own.
fn write(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    let written = attempt(connection, group);
    if written.is_err() && !connection.is_autocommit() {
        // What cannot be rolled back now is rolled back when the file is next opened.
        let _ = connection.execute_batch("ROLLBACK");
    }
    written
}

fn attempt(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    run(connection, "BEGIN IMMEDIATE")?;
    for job in group {
        run(connection, "SAVEPOINT job")?;
        if !job.run(connection) && !connection.is_autocommit() {
            run(connection, "ROLLBACK TO job")?;
        }
        if connection.is_autocommit() {
            // A full disk, say, makes SQLite give up the whole transaction by itself.
            return Err(StoreError::Commit(
                "the transaction was rolled back".to_owned(),
            ));
        }
        run(connection, "RELEASE job")?;
    }
    run(connection, "COMMIT").map_err(|error| StoreError::Commit(error.to_string()))
}

fn run(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}
