//! Form: a pattern of clauses, and the rule that they say.

use std::collections::BTreeMap;

use crate::pattern::Pattern;

/// The form of a clause that says a rule.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) pattern: Pattern,
    /// At which places it is read; at all where empty.
    pub(crate) at: Vec<String>,
    /// What the form says besides what its parts take.
    pub(crate) says: BTreeMap<String, String>,
    /// Whether it takes in the condition of its sentence.
    pub(crate) is_conditional: bool,
}
