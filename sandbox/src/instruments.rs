//! The instruments of one process: recorded exchanges and injected faults.

use crate::exchanges::Log;
use crate::faults::Faults;

/// The state that the HTTP layers share with the control interface.
#[derive(Debug, Default)]
pub struct Instruments {
    /// The latest exchanges.
    pub log: Log,
    /// The active faults.
    pub faults: Faults,
}
