//! Checks that each state occurs in a machine.

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::behaviour::{Machine, State};
use openapi_document::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "behaviour-state-without-machine",
    default: Level::Error,
    summary: "Each state of a record occurs in one of its machines",
    why: "A state without a transition is never reached and never left.",
    remedy: "Add a transition, or remove the state.",
    wrong: "\
states:
  locked: {summary: Nobody passes.}
  open: {summary: Somebody may pass.}
  lost: {summary: Nobody knows.}
transitions:
  - {from: locked, event: coin, to: open}",
    right: "\
states:
  locked: {summary: Nobody passes.}
  open: {summary: Somebody may pass.}
transitions:
  - {from: locked, event: coin, to: open}",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    for record in &subject.behaviour.records {
        let unknown = |state: &&State| !record.machines.iter().any(|machine| knows(machine, state));
        for state in record.states.iter().filter(unknown) {
            let title = format!("no machine has the state `{}`", state.name.text);
            let finding = RULE.finding(title).at(state.name.span, "");
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
