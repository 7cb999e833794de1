//! Contradiction: two parts of a schema that exclude each other.

use openapi_document::node::Node;

/// The reason, and the two contradicting nodes.
pub(super) type Contradiction<'d> = (String, &'d Node, &'d Node);
