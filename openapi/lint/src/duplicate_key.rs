//! Checks for duplicate keys in mappings; the loader finds them.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::duplicate_key;

pub(super) const RULE: Rule = Rule {
    id: duplicate_key::RULE,
    default: Level::Error,
    summary: "No key occurs twice in a mapping",
    why: "Parsers silently keep the first or the last of two equal keys, so two tools see two \
          different documents.",
    remedy: "Remove one of the two keys, or rename it.",
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
