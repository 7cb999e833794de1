//! Deviation: a place where an answer breaks the contract.

use std::fmt;

/// A place where an answer breaks the contract. `Debug` and `Display` do not show its values.
#[derive(Clone, PartialEq, Eq)]
pub struct Deviation {
    /// The JSON pointer into the body; empty for the status.
    pub pointer: String,
    /// The problem at this place.
    pub message: String,
    /// The received JSON text; `None` when a value is missing.
    pub found: Option<String>,
    /// The JSON text that was read instead; `None` when the property or item is omitted.
    pub instead: Option<String>,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.pointer {
            "" => f.write_str(&self.message),
            pointer => write!(f, "{pointer}: {}", self.message),
        }
    }
}

impl fmt::Debug for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deviation")
            .field("pointer", &self.pointer)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}
