//! What watches and disturbs the requests: of one process, and gone with it.

use crate::exchanges::Log;
use crate::faults::Faults;

/// What the layers around the operations share with whoever controls them.
#[derive(Debug, Default)]
pub struct Instruments {
    /// The last exchanges.
    pub log: Log,
    /// The faults that are injected.
    pub faults: Faults,
}
