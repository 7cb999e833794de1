//! Checks that each event has a transition.

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::behaviour::Event;
use openapi_document::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "behaviour-event-without-row",
    default: Level::Error,
    summary: "Each event of a record is in a transition of one of its machines",
    why: "An event without a transition is refused in every state, which the file does not make \
          clear.",
    remedy: "Add a transition, or remove the event.",
    wrong: "\
events:
  coin: {summary: A coin falls., done: opened, by: guest}
  kick: {summary: Somebody kicks., done: kicked, by: guest}
transitions:
  - {from: locked, event: coin, to: open}",
    right: "\
events:
  coin: {summary: A coin falls., done: opened, by: guest}
transitions:
  - {from: locked, event: coin, to: open}",
    check: Check::Behaviour(check),
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
            let finding = RULE.finding(title).at(event.name.span, "");
            diagnostics.push(finding.help("add a transition, or remove the event"));
        }
    }
}
