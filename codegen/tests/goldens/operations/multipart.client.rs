use std::convert::Infallible;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `multipart`.
#[derive(Clone, Debug)]
pub struct Multipart {
    connection: Arc<Connection>,
}

impl Multipart {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `upload`.
    ///
    /// `POST /files`
    pub fn upload(&self, body: &models::UploadParts) -> Request<Upload> {
        Request::new(&self.connection, ())
            .check(body)
            .multipart(body.to_parts())
    }
}

/// The operation `upload`.
#[derive(Clone, Copy, Debug)]
pub struct Upload;
