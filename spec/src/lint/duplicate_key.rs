//! One key twice in one mapping: readers keep either value, without a word.

use std::collections::HashMap;

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use crate::diagnostic::Diagnostics;
use crate::node::{Entry, Node, Value};
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

/// As many keys are compared with each other; more are looked up.
const FEW: usize = 16;

fn twice(entries: &[Entry], diagnostics: &mut Diagnostics) {
    let mut found = |again: &Entry, before: Span| {
        let title = format!("the key `{}` stands twice in one mapping", again.key);
        diagnostics.push(
            RULE.finding(title)
                .at(again.key_span, "again here")
                .also(before, "first here")
                .help("remove one of the two, or rename it"),
        );
    };
    if entries.len() <= FEW {
        for (index, entry) in entries.iter().enumerate() {
            let mut before = entries[..index].iter().rev();
            if let Some(before) = before.find(|before| before.key == entry.key) {
                found(entry, before.key_span);
            }
        }
        return;
    }
    let mut seen: HashMap<&str, Span> = HashMap::with_capacity(entries.len());
    for entry in entries {
        if let Some(before) = seen.insert(&entry.key, entry.key_span) {
            found(entry, before);
        }
    }
}

/// Looks through one file, when it is read: what nothing refers to is not in the bundle.
pub(crate) fn find(node: &Node, diagnostics: &mut Diagnostics) {
    match &node.value {
        Value::Sequence(items) => items.iter().for_each(|item| find(item, diagnostics)),
        Value::Mapping(mapping) => {
            twice(&mapping.entries, diagnostics);
            for entry in &mapping.entries {
                find(&entry.value, diagnostics);
            }
        }
        _ => {}
    }
}
