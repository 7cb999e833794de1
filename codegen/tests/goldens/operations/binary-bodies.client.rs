use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Incoming, Outcome, Request, Streamed};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, ByteStream, Bytes, Operation};

/// The operations of `binary-bodies`.
#[derive(Clone, Debug)]
pub struct BinaryBodies {
    connection: Arc<Connection>,
}

impl BinaryBodies {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `shrink`.
    ///
    /// `POST /shrink`
    pub fn shrink(&self, body: impl Into<ByteStream>) -> Request<Shrink> {
        Request::new(&self.connection, ()).bytes("application/octet-stream", body)
    }
}

/// The operation `shrink`.
#[derive(Clone, Copy, Debug)]
pub struct Shrink;
