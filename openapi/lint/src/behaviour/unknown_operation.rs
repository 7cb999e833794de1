//! Checks that the document has the operations that the file names.

use openapi_document::behaviour::contradictions;
use openapi_document::diagnostic::Diagnostics;

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: contradictions::UNKNOWN_OPERATION,
    default: Level::Error,
    summary: "The document has each operationId that the file names",
    why: "A rule about a missing operation has no effect.",
    remedy: "Name an operationId of the document.",
    wrong: "naturalKeys: [{operation: insertCion, property: number, collection: coins}]",
    right: "naturalKeys: [{operation: insertCoin, property: number, collection: coins}]",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    contradictions::unknown_operation(subject.document, subject.behaviour, diagnostics);
}
