//! One piece of work for a connection, and the way back to whoever asked for it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use super::connection::Connection;
use super::error::{Conflict, StoreError};

/// Work that waits for its turn.
pub(super) trait Job: Send {
    /// Does the work and says what is to become of it.
    fn run(&mut self, connection: &Connection) -> Fate;
    /// Whether the work changes nothing.
    fn only_reads(&self) -> bool;
    /// Tells the caller how it went, once the fate of the commit is known.
    fn answer(self: Box<Self>, commit: Result<(), StoreError>);
}

/// What is to become of what a job has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is kept.
    Keep,
    /// It is undone: the work was refused.
    Undo,
    /// It is undone: somebody else was faster, and the work may be done again.
    Again,
}

struct Work<F, T, E> {
    todo: F,
    only_reads: bool,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

/// A job, and where its answer will be.
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
        todo: work,
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
        let result = catch_unwind(AssertUnwindSafe(|| (self.todo)(connection)));
        let result = result.unwrap_or_else(|_| Err(StoreError::Panicked.into()));
        match self.result.insert(result) {
            Ok(_) => Fate::Keep,
            Err(error) if error.is_conflict() => Fate::Again,
            Err(_) => Fate::Undo,
        }
    }

    fn only_reads(&self) -> bool {
        self.only_reads
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
