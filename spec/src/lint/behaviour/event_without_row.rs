//! Events that never happen.

use super::{BehaviourRule, Subject};
use crate::behaviour::Event;
use crate::diagnostic::Diagnostics;

pub(super) const RULE: BehaviourRule = BehaviourRule {
    id: "behaviour-event-without-row",
    summary: "Each event of a record is in a transition of one of its machines",
    check,
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    for record in &subject.behaviour.records {
        let rows = || {
            record
                .machines
                .iter()
                .flat_map(|machine| &machine.transitions)
        };
        let unused = |event: &&Event| !rows().any(|row| row.event.text == event.name.text);
        for event in record.events.iter().filter(unused) {
            let title = format!("`{}` is in no transition", event.name.text);
            let finding = RULE.error(title).at(event.name.span, "");
            diagnostics.push(finding.help("add a transition, or remove the event"));
        }
    }
}
