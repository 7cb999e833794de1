use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `retries`.
#[derive(Clone, Debug)]
pub struct Retries {
    connection: Arc<Connection>,
}
