use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `checked-requests`.
#[derive(Clone, Debug)]
pub struct CheckedRequests {
    connection: Arc<Connection>,
}

impl CheckedRequests {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `tag`.
    ///
    /// `PUT /things/{id}/tags`
    pub fn tag(&self, id: i64, body: &[String]) -> Request<Tag> {
        Request::new(
            &self.connection,
            operations::checked_requests::TagParameters { id },
        )
        .check_by(|found| operations::checked_requests::check_tag_body(body, found))
        .json("application/json", body)
    }
}

/// The operation `tag`.
#[derive(Clone, Copy, Debug)]
pub struct Tag;
