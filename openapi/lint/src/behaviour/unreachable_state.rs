//! Checks that transitions lead to each state.

use std::collections::BTreeSet;

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::behaviour::Machine;
use openapi_document::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "behaviour-unreachable-state",
    default: Level::Error,
    summary: "Transitions lead from the initial states of a machine to each of its states",
    why: "No sequence of events leads to the state, so no test reaches it.",
    remedy: "Add the missing transition, or remove the state.",
    wrong: "\
initial: [gone]
transitions:
  - {from: locked, event: coin, to: open}",
    right: "\
initial: [locked]
transitions:
  - {from: locked, event: coin, to: open}",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    for (_, machine) in subject.behaviour.machines() {
        let reached = reached(machine);
        let mut reported = BTreeSet::new();
        for row in &machine.transitions {
            let state = row.from.text.as_str();
            if !reached.contains(state) && reported.insert(state) {
                let title = format!("no transition leads `{}` to `{state}`", machine.name.text);
                let finding = RULE.finding(title).at(row.from.span, "left from here");
                diagnostics.push(finding.also(machine.name.span, "this machine"));
            }
        }
    }
}

fn reached(machine: &Machine) -> BTreeSet<&str> {
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut ahead: Vec<&str> = machine
        .initial
        .iter()
        .map(|word| word.text.as_str())
        .collect();
    while let Some(state) = ahead.pop() {
        if reached.insert(state) {
            let rows = machine
                .transitions
                .iter()
                .filter(|row| row.from.text == state);
            ahead.extend(rows.map(|row| row.to.text.as_str()));
        }
    }
    reached
}
