//! Operations that the document does not have.

use super::{BehaviourRule, Subject};
use crate::behaviour::Word;
use crate::diagnostic::Diagnostics;
use crate::lint::nearest;

pub(super) const RULE: BehaviourRule = BehaviourRule {
    id: "behaviour-unknown-operation",
    summary: "Each operationId that is named is one of the document",
    check,
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let operations = subject.document.operations();
    let ids: Vec<&str> = operations
        .iter()
        .filter_map(crate::document::Operation::id)
        .collect();
    let behaviour = subject.behaviour;
    let events = behaviour.records.iter().flat_map(|record| &record.events);
    let causes = events
        .flat_map(|event| &event.operations)
        .map(|(_, operation)| operation);
    let creations = subject
        .machines()
        .filter_map(|(_, machine)| machine.created_by.as_ref());
    let keys = behaviour.natural_keys.iter().map(|key| &key.operation);
    for Word { text, span } in causes.chain(creations).chain(keys) {
        if !ids.contains(&text.as_str()) {
            let title = format!("the document has no operation `{text}`");
            let finding = RULE.error(title).at(*span, "");
            diagnostics.push(match nearest(text, ids.iter().copied()) {
                Some(id) => finding.help(format!("did you mean `{id}`?")),
                None => finding,
            });
        }
    }
}
