//! Words that name nothing of the file.

use openapi_document::behaviour::contradictions;
use openapi_document::diagnostic::Diagnostics;

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: contradictions::UNKNOWN_NAME,
    default: Level::Error,
    summary: "Each actor, machine, state and event that is named is declared",
    why: "A name that is declared nowhere is mostly a slip, and the row that has it never \
          applies.",
    mend: "Correct the spelling, or declare the name.",
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
