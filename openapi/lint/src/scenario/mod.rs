//! Rules on scenarios: consistent, and matching the document.

mod duplicate_step;
mod form;
mod names;
mod sources;
mod step_target;
mod unknown_example;
mod unknown_key;
mod unknown_operation;
mod unknown_step;

use super::rule::Rule;

/// All rules on scenarios, sorted by id.
pub const RULES: &[Rule] = &[
    names::ACTION,
    names::CRITERION,
    names::PARAMETER,
    names::REPLACEMENT,
    names::SOURCE,
    duplicate_step::RULE,
    names::WORKFLOW,
    form::CRITERION,
    form::ID,
    form::OUTPUT,
    form::MISSING,
    step_target::PATH,
    form::SCRIPT,
    step_target::TARGET,
    step_target::DEPENDENCY,
    unknown_example::RULE,
    step_target::GOTO,
    unknown_key::RULE,
    unknown_operation::RULE,
    unknown_step::OUTPUT,
    sources::TYPE,
    unknown_step::RULE,
    form::DESCRIPTION,
    sources::NONE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_kebab_case_ids_and_are_sorted() {
        let ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        assert!(ids.iter().all(|id| id.starts_with("scenario-")), "{ids:?}");
    }
}
