use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Events, Incoming, Outcome, Request, Streamed};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Event, Operation};

/// The operations of `named-events`.
#[derive(Clone, Debug)]
pub struct NamedEvents {
    connection: Arc<Connection>,
}

impl NamedEvents {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `changes`.
    ///
    /// `GET /changes`
    pub fn changes(&self) -> Request<Changes> {
        Request::new(&self.connection, ())
    }
}

/// The operation `changes`.
#[derive(Clone, Copy, Debug)]
pub struct Changes;
