//! The rules on behaviour: of one piece, without a doubt, and true to the document.

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

use crate::behaviour::{Behaviour, Machine, Record};
use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::lint::level::Levels;
use crate::lint::rule::{Check, Rule};
use crate::source::Span;

/// What such a rule looks at.
#[derive(Debug)]
pub(super) struct Subject<'d> {
    behaviour: &'d Behaviour,
    document: &'d Document,
}

/// All rules on behaviour, in the order of their names.
pub const BEHAVIOUR_RULES: &[Rule] = &[
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

/// Holds the behaviour that stands beside a document to all rules, in the order of the source.
pub fn lint_behaviour(document: &Document, behaviour: &Behaviour) -> Diagnostics {
    lint_behaviour_with(document, behaviour, &Levels::default())
}

/// As [`lint_behaviour`], with levels of one's own.
pub fn lint_behaviour_with(
    document: &Document,
    behaviour: &Behaviour,
    levels: &Levels,
) -> Diagnostics {
    run(document, behaviour, levels, BEHAVIOUR_RULES)
}

/// Holds only what behaviour says of the document and of itself to be true: operations, properties, states
/// and values that are not there lead whoever relies on them astray.
pub fn contradictions(document: &Document, behaviour: &Behaviour) -> Diagnostics {
    let rules = [
        unknown_name::RULE,
        unknown_operation::RULE,
        unknown_property::RULE,
        unlisted_value::RULE,
    ];
    run(document, behaviour, &Levels::default(), &rules)
}

fn run(document: &Document, behaviour: &Behaviour, levels: &Levels, rules: &[Rule]) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    // Where no file was read there is none in which anything could be wrong.
    if behaviour.sources.files().next().is_none() {
        return diagnostics;
    }
    let subject = Subject {
        behaviour,
        document,
    };
    for rule in rules {
        if let Check::Behaviour(check) = rule.check {
            levels.ask(rule, &mut diagnostics, |found| check(&subject, found));
        }
    }
    diagnostics.sort();
    diagnostics
}

impl<'d> Subject<'d> {
    /// Where the file could say more: at the last of its natural keys, or where it begins.
    fn anchor(&self) -> Span {
        let keys = self.behaviour.natural_keys.iter().rev();
        let mut words = keys.map(|key| &key.operation);
        let first = self.behaviour.records.iter().map(|record| &record.name);
        let first = first.chain(self.behaviour.actors.iter().map(|actor| &actor.name));
        let word = words.next().or_else(|| first.into_iter().next());
        word.map_or_else(|| self.behaviour.sources.beginning(), |word| word.span)
    }

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
