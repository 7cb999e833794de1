//! States that nothing leads to.

use std::collections::BTreeSet;

use super::{BehaviourRule, Subject};
use crate::behaviour::Machine;
use crate::diagnostic::Diagnostics;

pub(super) const RULE: BehaviourRule = BehaviourRule {
    id: "behaviour-unreachable-state",
    summary: "Transitions lead from where a machine begins to each of its states",
    check,
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    for (_, machine) in subject.machines() {
        let reached = reached(machine);
        let mut told = BTreeSet::new();
        for row in &machine.transitions {
            let state = row.from.text.as_str();
            if !reached.contains(state) && told.insert(state) {
                let title = format!("nothing leads `{}` to `{state}`", machine.name.text);
                let finding = RULE.error(title).at(row.from.span, "left from here");
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
