//! Rules on facts: the behaviour file should state what the document says about its service.

mod state_without_machine;
mod without_entry;

use crate::rule::Rule;

/// All rules on facts, sorted by id.
pub const RULES: &[Rule] = &[without_entry::RULE, state_without_machine::RULE];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_listed_in_order() {
        let ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
    }
}
