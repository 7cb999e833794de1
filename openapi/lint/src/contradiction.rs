//! Two parts of a schema that no value satisfies both.

use openapi_document::node::Node;

/// Why no value fits, and the two places that say so.
pub(super) type Contradiction<'d> = (String, &'d Node, &'d Node);
