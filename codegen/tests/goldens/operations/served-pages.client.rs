use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Next, Outcome, Paginated, Paging, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `served-pages`.
#[derive(Clone, Debug)]
pub struct ServedPages {
    connection: Arc<Connection>,
}
