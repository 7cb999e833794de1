use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `optional-parameters`.
#[derive(Clone, Debug)]
pub struct OptionalParameters {
    connection: Arc<Connection>,
}

impl OptionalParameters {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `browse`.
    ///
    /// `GET /things`
    pub fn browse(&self, owner: impl Into<String>) -> Request<Browse> {
        Request::new(
            &self.connection,
            operations::optional_parameters::BrowseParameters {
                limit: None,
                owner: owner.into(),
            },
        )
    }
}
