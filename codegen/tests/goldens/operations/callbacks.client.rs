use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request, RequestError, Settings};
use crate::runtime::json::Unreadable;
use crate::runtime::signature::Secrets;
use crate::runtime::{Answer, Operation};

/// What is sent about an operation later.
#[derive(Clone, Debug)]
pub struct Callbacks {
    connection: Arc<Connection>,
    secrets: Secrets,
}
