//! The rules on behaviour: of one piece, without a doubt, and true to the document.

mod ambiguous_wire;
mod duplicate_row;
mod event_without_row;
mod nondeterminism;
mod state_without_machine;
mod unknown_name;
mod unknown_operation;
mod unknown_property;
mod unlisted_value;
mod unreachable_state;

use crate::behaviour::{Behaviour, Machine, Record};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::Document;

/// A rule on behaviour.
#[derive(Debug, Clone, Copy)]
pub struct BehaviourRule {
    /// Its name in kebab-case, for what is found; kept for ever.
    pub id: &'static str,
    /// What it asks for, in one sentence.
    pub summary: &'static str,
    check: fn(&Subject<'_>, &mut Diagnostics),
}

/// What such a rule looks at.
#[derive(Debug)]
struct Subject<'d> {
    behaviour: &'d Behaviour,
    document: &'d Document,
}

/// All rules on behaviour, in the order of their names.
pub const BEHAVIOUR_RULES: &[BehaviourRule] = &[
    ambiguous_wire::RULE,
    duplicate_row::RULE,
    event_without_row::RULE,
    nondeterminism::RULE,
    state_without_machine::RULE,
    unknown_name::RULE,
    unknown_operation::RULE,
    unknown_property::RULE,
    unlisted_value::RULE,
    unreachable_state::RULE,
];

/// Holds the behaviour that stands beside a document to all rules, in the order of the source.
pub fn lint_behaviour(document: &Document, behaviour: &Behaviour) -> Diagnostics {
    let subject = Subject {
        behaviour,
        document,
    };
    let mut diagnostics = Diagnostics::default();
    for rule in BEHAVIOUR_RULES {
        (rule.check)(&subject, &mut diagnostics);
    }
    diagnostics.sort();
    diagnostics
}

impl BehaviourRule {
    fn error(&self, title: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.id, title)
    }
}

impl<'d> Subject<'d> {
    /// Every machine with its record.
    fn machines(&self) -> impl Iterator<Item = (&'d Record, &'d Machine)> + use<'d> {
        let of = |record: &'d Record| record.machines.iter().map(move |machine| (record, machine));
        self.behaviour.records.iter().flat_map(of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_for_what_they_find_and_listed_in_order() {
        let ids: Vec<_> = BEHAVIOUR_RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        for rule in BEHAVIOUR_RULES {
            assert!(rule.id.starts_with("behaviour-"), "{}", rule.id);
            assert!(!rule.summary.is_empty() && !rule.summary.ends_with('.'));
        }
    }
}
