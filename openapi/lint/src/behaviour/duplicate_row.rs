//! Checks for duplicate transitions.

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::behaviour::Transition;
use openapi_document::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "behaviour-duplicate-row",
    default: Level::Error,
    summary: "A machine has each transition once",
    why: "The second row has no effect, and is easily forgotten when the first one changes.",
    remedy: "Remove one of the two rows.",
    wrong: "\
transitions:
  - {from: locked, event: coin, to: open}
  - {from: locked, event: coin, to: open}",
    right: "\
transitions:
  - {from: locked, event: coin, to: open}",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let key = |row: &Transition| {
        let words = [&row.from, &row.event, &row.to];
        words.map(|word| word.text.clone())
    };
    for (_, machine) in subject.behaviour.machines() {
        for (index, row) in machine.transitions.iter().enumerate() {
            let mut before = machine.transitions[..index].iter();
            if let Some(first) = before.find(|first| key(first) == key(row)) {
                let name = &machine.name.text;
                let finding = RULE.finding(format!("a transition of `{name}` is listed twice"));
                let finding = finding.at(row.span, "again here");
                diagnostics.push(finding.also(first.span, "first here"));
            }
        }
    }
}
