//! Operations that the document does not have.

use super::Subject;
use crate::behaviour::Word;
use crate::diagnostic::Diagnostics;
use crate::document::Operation;
use crate::lint::level::Level;
use crate::lint::nearest;
use crate::lint::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: "behaviour-unknown-operation",
    default: Level::Error,
    summary: "Each operationId that is named is one of the document",
    why: "The rule is about an operation that is not there, so it holds for none.",
    mend: "Name an operationId of the document.",
    wrong: "naturalKeys: [{operation: insertCion, property: number, collection: coins}]",
    right: "naturalKeys: [{operation: insertCoin, property: number, collection: coins}]",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let operations = subject.document.operations();
    // As a method and a path, where an operation has no id.
    let ids: Vec<String> = operations.iter().map(Operation::label).collect();
    let behaviour = subject.behaviour;
    let events = behaviour.records.iter().flat_map(|record| &record.events);
    let causes = events
        .flat_map(|event| &event.operations)
        .map(|(_, operation)| operation);
    let creations = subject
        .machines()
        .filter_map(|(_, machine)| machine.created_by.as_ref());
    let keys = behaviour.natural_keys.iter().map(|key| &key.operation);
    let exceptions = behaviour.exceptions.iter();
    let excepted = exceptions.flat_map(|own| &own.operations);
    for Word { text, span } in causes.chain(creations).chain(keys).chain(excepted) {
        if !ids.contains(text) {
            let title = format!("the document has no operation `{text}`");
            let finding = RULE.finding(title).at(*span, "");
            diagnostics.push(match nearest(text, ids.iter().map(String::as_str)) {
                Some(id) => finding.help(format!("did you mean `{id}`?")),
                None => finding,
            });
        }
    }
}
