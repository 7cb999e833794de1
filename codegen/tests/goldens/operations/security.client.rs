use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `security`.
#[derive(Clone, Debug)]
pub struct Security {
    connection: Arc<Connection>,
}

impl Security {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `either`.
    ///
    /// `GET /either`
    pub fn either(&self) -> Request<Either> {
        Request::new(&self.connection, ())
    }

    /// The operation `change`.
    ///
    /// `POST /either`
    pub fn change(&self) -> Request<Change> {
        Request::new(&self.connection, ())
    }
}

/// The operation `either`.
#[derive(Clone, Copy, Debug)]
pub struct Either;
