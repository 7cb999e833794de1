use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `path-styles`.
#[derive(Clone, Debug)]
pub struct PathStyles {
    connection: Arc<Connection>,
}

impl PathStyles {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `findThings`.
    ///
    /// `GET /things{kind}/{ids}{at}`
    pub fn find_things(
        &self,
        at: BTreeMap<String, i64>,
        ids: Vec<String>,
        kind: Vec<String>,
    ) -> Request<FindThings> {
        Request::new(
            &self.connection,
            operations::path_styles::FindThingsParameters { at, ids, kind },
        )
    }
}
