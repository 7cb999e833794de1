//! States that no machine knows.

use super::{BehaviourRule, Subject};
use crate::behaviour::{Machine, State};
use crate::diagnostic::Diagnostics;

pub(super) const RULE: BehaviourRule = BehaviourRule {
    id: "behaviour-state-without-machine",
    summary: "Each state of a record is one of its machines'",
    check,
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    for record in &subject.behaviour.records {
        let unknown = |state: &&State| !record.machines.iter().any(|machine| knows(machine, state));
        for state in record.states.iter().filter(unknown) {
            let title = format!("no machine has the state `{}`", state.name.text);
            let finding = RULE.error(title).at(state.name.span, "");
            diagnostics.push(finding.help("add a transition, or remove the state"));
        }
    }
}

fn knows(machine: &Machine, state: &State) -> bool {
    let rows = machine.transitions.iter();
    let mut words = rows
        .flat_map(|row| [&row.from, &row.to])
        .chain(&machine.initial);
    words.any(|word| word.text == state.name.text)
}
