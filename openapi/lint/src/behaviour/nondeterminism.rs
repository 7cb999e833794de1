//! Checks that a state and an event lead to only one state.

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::behaviour::Transition;
use openapi_document::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "behaviour-nondeterminism",
    default: Level::Error,
    summary: "A state and an event lead to one state",
    why: "If an event leads from one state to two, no test can know which one is correct.",
    remedy: "Split the event in two, or write a `note` on one row that says when it applies.",
    wrong: "\
transitions:
  - {from: locked, event: coin, to: open}
  - {from: locked, event: coin, to: broken}",
    right: "\
transitions:
  - {from: locked, event: coin, to: open}
  - {from: locked, event: kick, to: broken}",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let key = |row: &Transition| (row.from.text.clone(), row.event.text.clone());
    for (_, machine) in subject.behaviour.machines() {
        for (index, row) in machine.transitions.iter().enumerate() {
            let mut before = machine.transitions[..index].iter();
            let other = before.find(|other| key(other) == key(row) && other.to.text != row.to.text);
            if let Some(other) = other {
                let (from, event) = (&row.from.text, &row.event.text);
                let title = format!("`{event}` leads from `{from}` to two states");
                let finding = RULE.finding(title).at(row.to.span, "here");
                let finding = finding.also(other.to.span, "and there");
                diagnostics.push(finding.help("split the event in two"));
            }
        }
    }
}
