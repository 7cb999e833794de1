//! Roles: the words that can play each role in a sentence.

use std::collections::{BTreeMap, HashMap, HashSet};

/// Words by role.
#[derive(Debug, Default)]
pub(crate) struct Roles(HashMap<String, HashSet<String>>);

impl Roles {
    /// The words of each role.
    pub(crate) fn new(roles: BTreeMap<String, Vec<String>>) -> Self {
        let roles = roles.into_iter();
        Self(
            roles
                .map(|(role, words)| (role, words.into_iter().collect()))
                .collect(),
        )
    }

    /// Whether a role exists.
    #[cfg(test)]
    pub(crate) fn knows(&self, role: &str) -> bool {
        self.0.contains_key(role)
    }

    /// Whether a word has a role.
    pub(crate) fn has(&self, role: &str, lower: &str) -> bool {
        self.0.get(role).is_some_and(|words| words.contains(lower))
    }
}
