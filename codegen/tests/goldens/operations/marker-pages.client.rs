use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Next, Outcome, Paginated, Paging, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `marker-pages`.
#[derive(Clone, Debug)]
pub struct MarkerPages {
    connection: Arc<Connection>,
}

impl MarkerPages {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `listWebhooks`.
    ///
    /// `GET /webhooks`
    pub fn list_webhooks(&self) -> Request<ListWebhooks> {
        Request::new(
            &self.connection,
            operations::marker_pages::ListWebhooksParameters::default(),
        )
    }
}

impl Request<ListWebhooks> {
    /// Sets `marker`.
    pub fn marker(mut self, marker: impl Into<String>) -> Self {
        self.parameters.marker = Some(marker.into());
        self
    }
}
