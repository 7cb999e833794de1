//! One key twice in one mapping: readers keep either value, without a word.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::duplicate_key;

pub(super) const RULE: Rule = Rule {
    id: duplicate_key::RULE,
    default: Level::Error,
    summary: "A mapping has each key once",
    why: "Readers keep the first of two equal keys or the last, and none says a word: two tools \
          read two documents.",
    mend: "Remove one of the two, or rename it.",
    wrong: "\
info:
  title: Things
  title: Other things
  version: '1'",
    right: "\
info:
  title: Things
  version: '1'",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let found = context.document.findings.iter();
    diagnostics.extend(found.filter(|finding| finding.rule == RULE.id).cloned());
}
