//! Pool: the idle connections of a run, and whether the server allows any.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::connection::Connection;

/// The longest idle time of a connection. Servers close idle connections.
const LONGEST: Duration = Duration::from_millis(500);

/// The greatest number of idle connections.
const MOST: usize = 8;

/// The connections that are kept between requests.
#[derive(Debug, Default)]
pub(super) struct Pool(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Idle connections. At most one until `serves` is `Several`, because a server that serves one
    /// connection at a time blocks the others while one is open.
    idle: Vec<(Connection, Instant)>,
    /// A connection that is open and has carried no request.
    started: Option<(Connection, Instant)>,
    /// The number of requests in flight.
    requests: usize,
    /// The number of requests in flight on a reused connection.
    reusing: usize,
    serves: Serves,
    /// Whether a connection has carried a second request. Then the server keeps connections that it
    /// does not announce to close.
    is_proven: bool,
    /// Whether the server closed a connection without announcing it, or sent unexpected bytes on
    /// one. Then no connection is kept.
    is_given_up: bool,
}

/// How many connections the server serves at a time, as far as the runner knows.
#[derive(Debug, Default, PartialEq, Eq)]
enum Serves {
    /// Unknown; perhaps only one.
    #[default]
    Unknown,
    /// Several: a request was answered while another used connection was open.
    Several,
    /// Few: a request had to wait while others were open.
    Few,
}

/// A request in flight.
#[derive(Debug)]
pub(super) struct Turn<'p> {
    pool: &'p Pool,
    is_reusing: Cell<bool>,
}

impl Pool {
    /// Starts a request.
    pub(super) fn turn(&self) -> Turn<'_> {
        self.kept().requests += 1;
        Turn {
            pool: self,
            is_reusing: Cell::new(false),
        }
    }

    /// Closes the idle connections, because a server may block other clients until then.
    pub(super) fn rest(&self) {
        let mut kept = self.kept();
        kept.idle.clear();
        kept.started = None;
    }

    /// Keeps a connection without a request for the next request that needs a new one.
    pub(super) fn start(&self, connection: Connection) {
        self.kept().started = Some((connection, Instant::now()));
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// Takes an idle connection. An unsafe request gets one only after the server has answered a
    /// second request on a connection, because the runner never repeats an unsafe request.
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

    /// Takes the connection that has carried no request. `None` without one.
    pub(super) fn started(&self) -> Option<Connection> {
        let (connection, since) = self.pool.kept().started.take()?;
        (since.elapsed() < LONGEST && connection.is_silent()).then_some(connection)
    }

    /// Uses no idle connection. Closes them when they could block the server.
    pub(super) fn pass(&self) {
        let mut kept = self.pool.kept();
        if kept.serves != Serves::Several {
            kept.idle.clear();
        }
    }

    /// Keeps a connection when no other request is in flight or the server serves several
    /// connections.
    pub(super) fn keep(&self, connection: Connection) {
        let mut kept = self.pool.kept();
        let is_alone = kept.requests == 1;
        let may_wait = is_alone || kept.serves == Serves::Several;
        if !kept.is_given_up && may_wait && kept.idle.len() < MOST {
            kept.idle.push((connection, Instant::now()));
        }
    }

    /// Notes that the answer arrived.
    pub(super) fn answered(&self) {
        let mut kept = self.pool.kept();
        let this = usize::from(self.is_reusing.get());
        let others = kept.idle.len() + kept.reusing.saturating_sub(this);
        if others > 0 && kept.serves == Serves::Unknown {
            kept.serves = Serves::Several;
        }
    }

    /// Closes the idle connections, because the late answer may wait for them.
    pub(super) fn release_idle(&self) {
        let mut kept = self.pool.kept();
        if !kept.idle.is_empty() {
            kept.idle.clear();
            kept.serves = Serves::Few;
        }
    }

    /// Notes that a connection carried a second request.
    pub(super) fn prove(&self) {
        self.pool.kept().is_proven = true;
    }

    /// Keeps no connections from now on.
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
