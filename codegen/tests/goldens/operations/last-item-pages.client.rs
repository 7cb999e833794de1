use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{
    Connection, End, Endpoint, Next, Outcome, Paginated, Paging, Request,
};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `last-item-pages`.
#[derive(Clone, Debug)]
pub struct LastItemPages {
    connection: Arc<Connection>,
}

impl LastItemPages {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `listCharges`.
    ///
    /// `GET /charges`
    pub fn list_charges(&self) -> Request<ListCharges> {
        Request::new(
            &self.connection,
            operations::last_item_pages::ListChargesParameters::default(),
        )
    }
}
