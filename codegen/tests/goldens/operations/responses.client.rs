use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `responses`.
#[derive(Clone, Debug)]
pub struct Responses {
    connection: Arc<Connection>,
}

impl Responses {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `poll`.
    ///
    /// `GET /jobs`
    pub fn poll(&self) -> Request<Poll> {
        Request::new(&self.connection, ())
    }
}

/// The operation `poll`.
#[derive(Clone, Copy, Debug)]
pub struct Poll;

/// The documented successes of `poll`.
#[derive(Clone, Debug, PartialEq)]
pub enum PollSuccess {
    /// 200: Done.
    Ok(Vec<i64>),
    /// 202: Not yet.
    Accepted,
}
