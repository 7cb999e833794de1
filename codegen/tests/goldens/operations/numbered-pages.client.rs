use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{
    Connection, End, Endpoint, Next, Outcome, Paginated, Paging, Request,
};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `numbered-pages`.
#[derive(Clone, Debug)]
pub struct NumberedPages {
    connection: Arc<Connection>,
}

impl NumberedPages {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `listEntries`.
    ///
    /// `GET /entries`
    pub fn list_entries(&self) -> Request<ListEntries> {
        Request::new(
            &self.connection,
            operations::numbered_pages::ListEntriesParameters::default(),
        )
    }
}
