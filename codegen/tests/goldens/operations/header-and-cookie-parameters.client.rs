use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::json_text::JsonText;
use crate::runtime::{Answer, Operation};

/// The operations of `header-and-cookie-parameters`.
#[derive(Clone, Debug)]
pub struct HeaderAndCookieParameters {
    connection: Arc<Connection>,
}
