//! Checks that the file declares the names that it uses.

use openapi_document::behaviour::contradictions;
use openapi_document::diagnostic::Diagnostics;

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: contradictions::UNKNOWN_NAME,
    default: Level::Error,
    summary: "The file declares each actor, machine, state and event that it uses",
    why: "An undeclared name is usually a typing error, and its row never applies.",
    remedy: "Correct the spelling, or declare the name.",
    wrong: "\
transitions:
  - {from: locked, event: cion, to: open}",
    right: "\
transitions:
  - {from: locked, event: coin, to: open}",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    contradictions::unknown_name(subject.document, subject.behaviour, diagnostics);
}
