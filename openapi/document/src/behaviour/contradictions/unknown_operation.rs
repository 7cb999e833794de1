//! Unknown operation: an operation that the document does not have.

use super::Subject;
use crate::behaviour::Word;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::spelling::nearest;
use crate::view::Operation;

/// The rule id.
pub const RULE: &str = "behaviour-unknown-operation";

pub(super) fn find_all(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let operations = subject.document.operations();
    // An operation without an id is named by method and path.
    let ids: Vec<String> = operations.iter().map(Operation::label).collect();
    let behaviour = subject.behaviour;
    let events = behaviour.records.iter().flat_map(|record| &record.events);
    let causes = events
        .flat_map(|event| &event.operations)
        .map(|(_, operation)| operation);
    let creations = subject
        .behaviour
        .machines()
        .filter_map(|(_, machine)| machine.created_by.as_ref());
    let keys = behaviour.natural_keys.iter().map(|key| &key.operation);
    let readings = behaviour.confirmed.iter().chain(&behaviour.exceptions);
    let excepted = readings.flat_map(|reading| &reading.operations);
    for Word { text, span } in causes.chain(creations).chain(keys).chain(excepted) {
        if !ids.contains(text) {
            let title = format!("the document has no operation `{text}`");
            let finding = Diagnostic::error(RULE, title).at(*span, "");
            diagnostics.push(match nearest(text, ids.iter().map(String::as_str)) {
                Some(id) => finding.help(format!("did you mean `{id}`?")),
                None => finding,
            });
        }
    }
}
