//! Rules on behaviour files: consistent, unambiguous, and matching the document.

mod ambiguous_wire;
mod duplicate_row;
mod event_without_row;
mod money_without_key;
mod nondeterminism;
mod state_without_machine;
mod unknown_name;
mod unknown_operation;
mod unknown_property;
mod unlisted_value;
mod unmodelled_state;
mod unreachable_state;

use crate::rule::Rule;

/// All rules on behaviour files, sorted by id.
pub const RULES: &[Rule] = &[
    ambiguous_wire::RULE,
    duplicate_row::RULE,
    event_without_row::RULE,
    money_without_key::RULE,
    nondeterminism::RULE,
    state_without_machine::RULE,
    unknown_name::RULE,
    unknown_operation::RULE,
    unknown_property::RULE,
    unlisted_value::RULE,
    unmodelled_state::RULE,
    unreachable_state::RULE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_kebab_case_ids_and_are_sorted() {
        let ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        for rule in RULES {
            assert!(rule.id.starts_with("behaviour-"), "{}", rule.id);
            assert!(!rule.summary.is_empty() && !rule.summary.ends_with('.'));
        }
    }
}
