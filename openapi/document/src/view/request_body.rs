//! Request bodies.

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
    /// Whether it must be sent.
    pub fn required(&self) -> bool {
        self.at
            .node
            .get("required")
            .and_then(Node::as_bool)
            .unwrap_or(false)
    }

    /// Its media types in the order of the document.
    pub fn content(&self) -> Vec<MediaType<'d>> {
        media_types(self.document, &self.at)
    }
}
