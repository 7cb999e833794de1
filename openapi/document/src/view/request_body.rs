//! Request body: the request body of an operation.

use super::media_type::media_types;
use super::{Document, Located, MediaType};
use crate::node::Node;

/// The request body of an operation.
#[derive(Debug, Clone)]
pub struct RequestBody<'d> {
    pub(super) document: &'d Document,
    /// The request body object.
    pub at: Located<'d>,
}

impl<'d> RequestBody<'d> {
    /// Whether the client must send it.
    pub fn required(&self) -> bool {
        self.at
            .node
            .get("required")
            .and_then(Node::as_bool)
            .unwrap_or(false)
    }

    /// Its media types in document order.
    pub fn content(&self) -> Vec<MediaType<'d>> {
        media_types(self.document, &self.at)
    }
}
