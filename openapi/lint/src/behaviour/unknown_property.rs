//! Checks that the document has the schemas and properties that the file names.

use openapi_document::behaviour::contradictions;
use openapi_document::diagnostic::Diagnostics;

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: contradictions::UNKNOWN_PROPERTY,
    default: Level::Error,
    summary: "The document has each schema and property that the file names",
    why: "A rule about a missing property has no effect.",
    remedy: "Name a schema and a property of the document.",
    wrong: "volatile: [{schema: Gate, property: sate, summary: It moves.}]",
    right: "volatile: [{schema: Gate, property: state, summary: It moves.}]",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    contradictions::unknown_property(subject.document, subject.behaviour, diagnostics);
}
