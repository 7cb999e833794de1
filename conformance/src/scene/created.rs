//! Created: a record that a law created and that is cancelled after it.

use openapi_document::Node;

use crate::exchange::Sent;

/// A record to cancel, with the operation and the request that created it.
#[derive(Debug)]
pub(crate) struct Created {
    pub(super) operation: String,
    pub(super) record: Node,
    pub(super) sent: Sent,
}
