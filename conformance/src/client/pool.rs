//! Pool: the connection that waits for the next request of a run, and whether one may wait at all.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::connection::Connection;

/// No connection waits longer: servers close what nothing comes on.
const LONGEST: Duration = Duration::from_millis(500);

/// What is kept between requests.
#[derive(Debug, Default)]
pub(super) struct Pool(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// One at most, as a server that serves one connection at a time serves no other while it waits.
    idle: Option<(Connection, Instant)>,
    /// How many requests are on their way.
    requests: usize,
    /// Whether a connection has carried a second request: then the server keeps what it does not say to close.
    is_proven: bool,
    /// Whether one was found closed that the server had not said it would close, or with something on it.
    is_given_up: bool,
}

/// A request on its way.
#[derive(Debug)]
pub(super) struct Turn<'p>(&'p Pool);

impl Pool {
    /// The turn of another request.
    pub(super) fn turn(&self) -> Turn<'_> {
        self.kept().requests += 1;
        Turn(self)
    }

    /// Closes what waits: whoever else talks to the server may have to wait for that.
    pub(super) fn rest(&self) {
        self.kept().idle = None;
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// The connection that waits. What changes something is only sent over it where another one has carried
    /// what does not, as it is never sent again.
    pub(super) fn take(&self, is_safe: bool) -> Option<Connection> {
        let mut kept = self.0.kept();
        let (connection, since) = kept.idle.take()?;
        if !connection.is_silent() {
            kept.is_given_up = true;
            return None;
        }
        let is_fresh = since.elapsed() < LONGEST;
        (is_fresh && (is_safe || kept.is_proven)).then_some(connection)
    }

    /// Keeps a connection for the next request, where no other is on its way.
    pub(super) fn keep(&self, connection: Connection) {
        let mut kept = self.0.kept();
        if !kept.is_given_up && kept.requests == 1 {
            kept.idle = Some((connection, Instant::now()));
        }
    }

    /// A connection has carried another request.
    pub(super) fn prove(&self) {
        self.0.kept().is_proven = true;
    }

    /// From here on no connection is kept.
    pub(super) fn give_up(&self) {
        self.0.kept().is_given_up = true;
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.kept().requests -= 1;
    }
}
