//! Made: a record that a try created, and that is called off when it is over.

use openapi_document::Node;

use crate::exchange::Sent;

/// What was made, and is to be called off.
#[derive(Debug)]
pub(crate) struct Made {
    pub(super) operation: String,
    pub(super) record: Node,
    pub(super) sent: Sent,
}
