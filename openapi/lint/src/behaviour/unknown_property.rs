//! Schemas and properties that the document does not have.

use openapi_document::behaviour::contradictions;
use openapi_document::diagnostic::Diagnostics;

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: contradictions::UNKNOWN_PROPERTY,
    default: Level::Error,
    summary: "Each schema and property that is named is one of the document",
    why: "The rule is about a property that is not there, so it holds for none.",
    mend: "Name a schema and a property of the document.",
    wrong: "volatile: [{schema: Gate, property: sate, summary: It moves.}]",
    right: "volatile: [{schema: Gate, property: state, summary: It moves.}]",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    contradictions::unknown_property(subject.document, subject.behaviour, diagnostics);
}
