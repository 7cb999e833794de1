//! Fact id: identifies a fact, and stays the same when the document is reworded.

use std::fmt;

use crate::rule::Rule;

/// The id of a fact, such as `barred/deleteShipment/not-DRAFT`: kind, subject and condition. It
/// stays the same when the document is reworded but the rule is not changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(String);

impl FactId {
    /// The id of a rule.
    pub fn of(rule: &Rule) -> Self {
        let plain = |c: char| c.is_alphanumeric() || "/-+=._{}".contains(c);
        let key = rule.key();
        let key = key.chars().map(|c| if plain(c) { c } else { '_' });
        Self(format!("{}/{}", rule.kind(), key.collect::<String>()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
