use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Next, Outcome, Paginated, Paging, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `link-pages`.
#[derive(Clone, Debug)]
pub struct LinkPages {
    connection: Arc<Connection>,
}

impl LinkPages {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `listDroplets`.
    ///
    /// `GET /v2/droplets`
    pub fn list_droplets(&self) -> Request<ListDroplets> {
        Request::new(&self.connection, ())
    }
}

/// The operation `listDroplets`.
#[derive(Clone, Copy, Debug)]
pub struct ListDroplets;
