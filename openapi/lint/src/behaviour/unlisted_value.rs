//! Checks that the document lists the values of states.

use openapi_document::behaviour::contradictions;
use openapi_document::diagnostic::Diagnostics;

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: contradictions::UNLISTED_VALUE,
    default: Level::Error,
    summary: "The document lists each value of a state or machine",
    why: "Otherwise the document and the machine describe different states.",
    remedy: "Add the value to `enum` or `x-extensible-enum`, or correct `wire`.",
    wrong: "\
states:
  open: {summary: Somebody may pass., wire: OPEN}",
    right: "\
states:
  open: {summary: Somebody may pass., wire: open}",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    contradictions::unlisted_value(subject.document, subject.behaviour, diagnostics);
}
