//! Reached: the documented statuses that a run received.

use std::collections::BTreeMap;

/// Statuses that were answered as documented: (operation, status) → ids of the cases.
pub(crate) type Reached = BTreeMap<(String, u16), Vec<String>>;
