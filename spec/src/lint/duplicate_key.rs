//! One key twice in one mapping: readers keep either value, without a word.

use std::collections::HashMap;

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use crate::diagnostic::Diagnostics;
use crate::node::{Node, Value};
use crate::source::Span;

pub(super) const RULE: Rule = Rule {
    id: "duplicate-key",
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

/// Looks through one file, when it is read: what nothing refers to is not in the bundle.
pub(crate) fn find(node: &Node, diagnostics: &mut Diagnostics) {
    match &node.value {
        Value::Sequence(items) => items.iter().for_each(|item| find(item, diagnostics)),
        Value::Mapping(mapping) => {
            let mut first: HashMap<&str, Span> = HashMap::new();
            for entry in &mapping.entries {
                if let Some(before) = first.insert(&entry.key, entry.key_span) {
                    let title = format!("the key `{}` stands twice in one mapping", entry.key);
                    diagnostics.push(
                        RULE.finding(title)
                            .at(entry.key_span, "again here")
                            .also(before, "first here")
                            .help("remove one of the two, or rename it"),
                    );
                }
                find(&entry.value, diagnostics);
            }
        }
        _ => {}
    }
}
