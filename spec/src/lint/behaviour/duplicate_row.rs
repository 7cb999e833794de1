//! One row twice.

use super::{BehaviourRule, Subject};
use crate::behaviour::Transition;
use crate::diagnostic::Diagnostics;

pub(super) const RULE: BehaviourRule = BehaviourRule {
    id: "behaviour-duplicate-row",
    summary: "A machine has each transition once",
    check,
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let key = |row: &Transition| {
        let words = [&row.from, &row.event, &row.to];
        words.map(|word| word.text.clone())
    };
    for (_, machine) in subject.machines() {
        for (index, row) in machine.transitions.iter().enumerate() {
            let mut before = machine.transitions[..index].iter();
            if let Some(first) = before.find(|first| key(first) == key(row)) {
                let name = &machine.name.text;
                let finding = RULE.error(format!("a transition of `{name}` stands twice"));
                let finding = finding.at(row.span, "again here");
                diagnostics.push(finding.also(first.span, "first here"));
            }
        }
    }
}
