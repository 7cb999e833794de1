//! Operations that the document does not have.

use openapi_document::behaviour::contradictions;
use openapi_document::diagnostic::Diagnostics;

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: contradictions::UNKNOWN_OPERATION,
    default: Level::Error,
    summary: "Each operationId that is named is one of the document",
    why: "The rule is about an operation that is not there, so it holds for none.",
    mend: "Name an operationId of the document.",
    wrong: "naturalKeys: [{operation: insertCion, property: number, collection: coins}]",
    right: "naturalKeys: [{operation: insertCoin, property: number, collection: coins}]",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    contradictions::unknown_operation(subject.document, subject.behaviour, diagnostics);
}
