//! Documented examples.

use super::{Document, Located};

/// A documented example value.
#[derive(Debug, Clone)]
pub struct Example<'d> {
    /// Its key under `examples`, or `example`.
    pub key: &'d str,
    /// Its value.
    pub value: Located<'d>,
    /// The example object with its `x-` fields, where it stands under `examples`.
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
    let Some(examples) = owner.get("examples") else {
        return found;
    };
    for (entry, raw) in examples.entries() {
        let Some(object) = document.resolve_or_none(&raw) else {
            continue;
        };
        if let Some(value) = object.get("value") {
            found.push(Example {
                key: &entry.key,
                value,
                object: Some(object),
            });
        }
    }
    found
}
