//! Example: a documented example value.

use super::{Document, Located};
use crate::node::Entry;

/// A documented example value.
#[derive(Debug, Clone)]
pub struct Example<'d> {
    /// Its key under `examples`, or `example`.
    pub key: &'d str,
    /// Its value.
    pub value: Located<'d>,
    /// The example object with its `x-` fields, if it is under `examples`.
    pub object: Option<Located<'d>>,
}

pub(super) fn examples<'d>(document: &'d Document, owner: &Located<'d>) -> Vec<Example<'d>> {
    let mut found = Vec::new();
    if let Some(value) = owner.get("example") {
        found.push(Example {
            key: "example",
            value,
            object: None,
        });
    }
    if let Some(examples) = owner.get("examples") {
        let entries = examples.entries();
        found.extend(entries.filter_map(|(entry, raw)| read(document, entry, &raw)));
    }
    found
}

/// The first example with this key.
pub(super) fn example<'d>(
    document: &'d Document,
    owner: &Located<'d>,
    key: &str,
) -> Option<Example<'d>> {
    if key == "example" && owner.node.get("example").is_some() {
        return examples(document, owner).into_iter().next();
    }
    let examples = owner.get("examples")?;
    let mut entries = examples.node.entries().filter(|entry| entry.key == key);
    entries.find_map(|entry| {
        let raw = Located {
            node: &entry.value,
            pointer: examples.pointer.join(&entry.key),
        };
        read(document, entry, &raw)
    })
}

/// Reads an entry of `examples`; `None` if it has no value.
fn read<'d>(document: &'d Document, entry: &'d Entry, raw: &Located<'d>) -> Option<Example<'d>> {
    let object = document.resolve_or_none(raw)?;
    Some(Example {
        key: &entry.key,
        value: object.get("value")?,
        object: Some(object),
    })
}
