//! Components: reports removed schemas that no operation used.

use std::collections::HashSet;

use super::side::Mark;
use super::{Comparison, Finding, Scope};
use openapi_document::node::{Node, Value};
use openapi_document::view::Document;

/// Reports removed schemas that no operation used. Other schemas are compared where operations use
/// them.
pub(super) fn compare(comparison: &mut Comparison<'_, '_>) {
    let (base, revision) = comparison.documents();
    let (old, new) = (base.components("schemas"), revision.components("schemas"));
    let kept: HashSet<&str> = new.iter().map(|(name, _)| *name).collect();
    let gone: Vec<_> = old
        .iter()
        .filter(|(name, _)| !kept.contains(name))
        .collect();
    if gone.is_empty() {
        return;
    }
    let used = references(base);
    for (name, schema) in gone {
        let reference = format!(
            "#/components/schemas/{}",
            openapi_document::pointer::escape(name)
        );
        let renamed = comparison.pairs.has_like(schema.node, &new);
        if used.contains(reference.as_str()) || used.contains(*name) || renamed {
            continue;
        }
        let subject = format!("schema {name}");
        let title = format!("schema `{name}` was removed, which no operation used");
        let owner = revision.root.get("components").unwrap_or(&revision.root);
        comparison.push(Finding {
            base: Some((Mark::of(schema.node), "was here")),
            revision: Some((Mark::of(owner), "it is no longer here")),
            ..Finding::new("api-schema-removed", &Scope::default(), subject, title)
        });
    }
}

/// All texts of the document that may name a schema.
fn references(document: &Document) -> HashSet<&str> {
    let mut all = HashSet::new();
    let mut open: Vec<(&Node, bool)> = vec![(&document.root, false)];
    while let Some((node, mapped)) = open.pop() {
        match &node.value {
            Value::Mapping(mapping) => open.extend(mapping.entries.iter().map(|entry| {
                (
                    &entry.value,
                    mapped || matches!(entry.key.as_str(), "$ref" | "mapping"),
                )
            })),
            Value::Sequence(items) => open.extend(items.iter().map(|item| (item, false))),
            Value::String(text) if mapped => {
                all.insert(text.as_str());
            }
            _ => {}
        }
    }
    all
}
