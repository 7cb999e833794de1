//! Pool: the connections that wait for the next requests of a run, and whether any may wait at all.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::connection::Connection;

/// No connection waits longer: servers close what nothing comes on.
const LONGEST: Duration = Duration::from_millis(500);

/// So many wait at most.
const MOST: usize = 8;

/// What is kept between requests.
#[derive(Debug, Default)]
pub(super) struct Pool(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// One at most until `serves` says more, as a server that serves one connection at a time serves no other while it
    /// waits.
    idle: Vec<(Connection, Instant)>,
    /// One that has been opened and has carried nothing.
    started: Option<(Connection, Instant)>,
    /// How many requests are on their way.
    requests: usize,
    /// How many of them over a connection that has carried another one before.
    reusing: usize,
    serves: Serves,
    /// Whether a connection has carried a second request: then the server keeps what it does not say to close.
    is_proven: bool,
    /// Whether one was found closed that the server had not said it would close, or with something on it.
    is_given_up: bool,
}

/// How many connections a server serves at a time, for all that is known.
#[derive(Debug, Default, PartialEq, Eq)]
enum Serves {
    /// Perhaps one.
    #[default]
    Unknown,
    /// One has answered while another one that had answered before was open.
    Several,
    /// A request had to wait while others were kept open.
    Few,
}

/// A request on its way.
#[derive(Debug)]
pub(super) struct Turn<'p> {
    pool: &'p Pool,
    is_reusing: Cell<bool>,
}

impl Pool {
    /// The turn of another request.
    pub(super) fn turn(&self) -> Turn<'_> {
        self.kept().requests += 1;
        Turn {
            pool: self,
            is_reusing: Cell::new(false),
        }
    }

    /// Closes what waits: whoever else talks to the server may have to wait for that.
    pub(super) fn rest(&self) {
        let mut kept = self.kept();
        kept.idle.clear();
        kept.started = None;
    }

    /// Keeps a connection that has carried nothing for the next request that needs another one.
    pub(super) fn start(&self, connection: Connection) {
        self.kept().started = Some((connection, Instant::now()));
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// A connection that waits. What changes something is only sent over it where another one has carried
    /// what does not, as it is never sent again.
    pub(super) fn take(&self, is_safe: bool) -> Option<Connection> {
        let mut kept = self.pool.kept();
        kept.idle.retain(|(_, since)| since.elapsed() < LONGEST);
        let (connection, _) = kept.idle.pop()?;
        if !connection.is_silent() {
            kept.give_up();
            return None;
        }
        if !is_safe && !kept.is_proven {
            return None;
        }
        kept.reusing += 1;
        self.is_reusing.set(true);
        Some(connection)
    }

    /// A connection that has carried nothing, where there is one.
    pub(super) fn started(&self) -> Option<Connection> {
        let (connection, since) = self.pool.kept().started.take()?;
        (since.elapsed() < LONGEST && connection.is_silent()).then_some(connection)
    }

    /// Takes none: what waits is closed, where the server may serve no other while it does.
    pub(super) fn pass(&self) {
        let mut kept = self.pool.kept();
        if kept.serves != Serves::Several {
            kept.idle.clear();
        }
    }

    /// Keeps a connection for another request: where no other is on its way, or the server serves several.
    pub(super) fn keep(&self, connection: Connection) {
        let mut kept = self.pool.kept();
        let is_alone = kept.requests == 1;
        let may_wait = is_alone || kept.serves == Serves::Several;
        if !kept.is_given_up && may_wait && kept.idle.len() < MOST {
            kept.idle.push((connection, Instant::now()));
        }
    }

    /// An answer has come.
    pub(super) fn answered(&self) {
        let mut kept = self.pool.kept();
        let own = usize::from(self.is_reusing.get());
        let others = kept.idle.len() + kept.reusing.saturating_sub(own);
        if others > 0 && kept.serves == Serves::Unknown {
            kept.serves = Serves::Several;
        }
    }

    /// The answer is late: it may wait for what is kept open.
    pub(super) fn make_way(&self) {
        let mut kept = self.pool.kept();
        if !kept.idle.is_empty() {
            kept.idle.clear();
            kept.serves = Serves::Few;
        }
    }

    /// A connection has carried another request.
    pub(super) fn prove(&self) {
        self.pool.kept().is_proven = true;
    }

    /// From here on no connection is kept.
    pub(super) fn give_up(&self) {
        self.pool.kept().give_up();
    }
}

impl Kept {
    fn give_up(&mut self) {
        self.is_given_up = true;
        self.idle.clear();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut kept = self.pool.kept();
        kept.requests -= 1;
        kept.reusing -= usize::from(self.is_reusing.get());
    }
}
