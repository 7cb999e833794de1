//! A document without the constraints that make a server refuse what it has decoded.

use openapi_document::Document;
use openapi_document::node::{Mapping, Node, Value};

/// Keywords that say which values are refused.
const CONSTRAINTS: [&str; 13] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
];

/// Keys below which the keys are names, and no keywords.
const NAMES: [&str; 4] = ["properties", "patternProperties", "schemas", "headers"];

/// Keys below which there are values, and no schemas.
const VALUES: [&str; 5] = ["const", "default", "enum", "example", "examples"];

/// The same document, which refuses no value for what it is.
pub(super) fn without_constraints(document: &Document) -> Document {
    Document {
        root: loose(&document.root, false),
        ..document.clone()
    }
}

fn loose(node: &Node, has_names: bool) -> Node {
    let value = match &node.value {
        Value::Sequence(items) => {
            Value::Sequence(items.iter().map(|item| loose(item, false)).collect())
        }
        Value::Mapping(mapping) => {
            let mut entries = mapping.entries.clone();
            entries.retain(|entry| has_names || !CONSTRAINTS.contains(&&*entry.key));
            for entry in &mut entries {
                let key = &*entry.key;
                if has_names || !VALUES.contains(&key) {
                    entry.value = loose(&entry.value, !has_names && NAMES.contains(&key));
                }
            }
            Value::Mapping(Mapping { entries })
        }
        scalar => scalar.clone(),
    };
    Node {
        value,
        span: node.span,
    }
}
