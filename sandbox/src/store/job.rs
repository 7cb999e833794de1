//! A unit of work for a connection, with a channel for its result.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use super::connection::Connection;
use super::error::{Conflict, StoreError};

/// Work in a queue.
pub(super) trait Job: Send {
    /// Does the work and decides whether its writes are kept.
    fn run(&mut self, connection: &Connection) -> Fate;
    /// Whether the work changes nothing.
    fn only_reads(&self) -> bool;
    /// Sends the result to the caller after the commit succeeded or failed.
    fn answer(self: Box<Self>, commit: Result<(), StoreError>);
}

/// What happens to the writes of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// They are committed.
    Commit,
    /// They are rolled back because the work was refused.
    RollBack,
    /// They are rolled back because of a conflict; the job may be retried.
    Retry,
}

struct Work<F, T, E> {
    task: F,
    only_reads: bool,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

/// A job and the receiver of its result.
pub(super) fn job<F, T, E>(
    only_reads: bool,
    work: F,
) -> (Box<dyn Job>, oneshot::Receiver<Result<T, E>>)
where
    F: Fn(&Connection) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<StoreError> + Conflict + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let job = Work {
        task: work,
        only_reads,
        result: None,
        reply,
    };
    (Box::new(job), answer)
}

impl<F, T, E> Job for Work<F, T, E>
where
    F: Fn(&Connection) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Conflict + Send,
{
    fn run(&mut self, connection: &Connection) -> Fate {
        let result = catch_unwind(AssertUnwindSafe(|| (self.task)(connection)));
        let result = result.unwrap_or_else(|_| Err(StoreError::Panicked.into()));
        match self.result.insert(result) {
            Ok(_) => Fate::Commit,
            Err(error) if error.is_conflict() => Fate::Retry,
            Err(_) => Fate::RollBack,
        }
    }

    fn only_reads(&self) -> bool {
        self.only_reads
    }

    fn answer(self: Box<Self>, commit: Result<(), StoreError>) {
        let result = match (self.result, commit) {
            // A refusal is valid without a commit.
            (Some(Err(refusal)), _) => Err(refusal),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (_, Err(error)) => Err(error.into()),
            (None, Ok(())) => Err(StoreError::Closed.into()),
        };
        // The caller may have stopped waiting.
        let _ = self.reply.send(result);
    }
}
