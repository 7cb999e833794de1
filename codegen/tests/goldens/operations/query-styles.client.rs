use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `query-styles`.
#[derive(Clone, Debug)]
pub struct QueryStyles {
    connection: Arc<Connection>,
}
