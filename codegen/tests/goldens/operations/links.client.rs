use std::convert::Infallible;
use std::sync::Arc;

use serde_json::Value;

use crate::operations;
use crate::runtime::client::{
    Connection, Endpoint, Expression, LinkError, Linked, Outcome, Request,
};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `links`.
#[derive(Clone, Debug)]
pub struct Links {
    connection: Arc<Connection>,
}

impl Links {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `shelf`.
    ///
    /// `GET /shelves/{shelf}`
    pub fn shelf(&self, shelf: impl Into<String>) -> Request<Shelf> {
        Request::new(
            &self.connection,
            operations::links::ShelfParameters {
                shelf: shelf.into(),
            },
        )
    }
}
