//! Duplicate key: finds keys that occur twice in one mapping, where parsers silently keep either
//! value.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Entry, Node, Value};
use crate::source::Span;

/// The rule id.
pub const RULE: &str = "duplicate-key";

/// Up to this many keys are compared pairwise; more go through a hash map.
const FEW: usize = 16;

fn twice(entries: &[Entry], diagnostics: &mut Diagnostics) {
    let mut found = |again: &Entry, before: Span| {
        let title = format!("the key `{}` occurs twice in one mapping", again.key);
        diagnostics.push(
            Diagnostic::error(RULE, title)
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

/// Checks one file when it is read, because the bundle lacks definitions without a reference.
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
