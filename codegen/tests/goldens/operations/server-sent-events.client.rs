use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Events, Incoming, Outcome, Request, Streamed};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Event, Operation};

/// The operations of `server-sent-events`.
#[derive(Clone, Debug)]
pub struct ServerSentEvents {
    connection: Arc<Connection>,
}

impl ServerSentEvents {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `ticks`.
    ///
    /// `GET /ticks`
    pub fn ticks(&self) -> Request<Ticks> {
        Request::new(&self.connection, ())
    }
}

/// The operation `ticks`.
#[derive(Clone, Copy, Debug)]
pub struct Ticks;
