//! Form: a clause pattern, and the rule that a matching clause states.

use std::collections::BTreeMap;

use crate::pattern::Pattern;

/// A clause pattern with the rule that a matching clause states.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) pattern: Pattern,
    /// The places at which the form applies; all places if empty.
    pub(crate) at: Vec<String>,
    /// Parts of the rule that the form itself fixes, in addition to the captured parts.
    pub(crate) says: BTreeMap<String, String>,
    /// Whether the pattern captures the condition of its sentence.
    pub(crate) is_conditional: bool,
}
