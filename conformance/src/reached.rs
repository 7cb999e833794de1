//! Reached: the documented statuses that a run has seen.

use std::collections::BTreeMap;

/// Documented statuses that were answered as documented: (operation, status) → the cases that did.
pub(crate) type Reached = BTreeMap<(String, u16), Vec<String>>;
