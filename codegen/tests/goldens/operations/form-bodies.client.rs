use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `form-bodies`.
#[derive(Clone, Debug)]
pub struct FormBodies {
    connection: Arc<Connection>,
}

impl FormBodies {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `order`.
    ///
    /// `POST /orders`
    pub fn order(&self, body: &models::Order) -> Request<Order> {
        Request::new(&self.connection, ()).form(body, operations::form_bodies::ORDER_FORM)
    }
}

/// The operation `order`.
#[derive(Clone, Copy, Debug)]
pub struct Order;
