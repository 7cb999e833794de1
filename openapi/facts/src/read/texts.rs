//! Texts: the descriptions and summaries of a document, with the way to each.

use openapi_document::Node;
use openapi_document::view::Document;

use crate::place::Trail;

/// Nodes are followed so deep at most.
const DEEPEST: usize = 60;

/// Parts of which no text describes the service.
const NOT_READ: [&str; 6] = [
    "example",
    "examples",
    "default",
    "enum",
    "const",
    "externalDocs",
];

/// A sentence that says a rule has one of these in it.
const TELLING: [&str; 45] = [
    "default",
    "requir",
    "must",
    "only",
    "filter",
    "sort",
    "order",
    "unique",
    "idempoten",
    "page",
    "cursor",
    "number of",
    "limit",
    "not be",
    "can't",
    "cannot",
    "status",
    "state",
    "already",
    "no longer",
    "been",
    "first",
    "return",
    "alphabetical",
    "paginat",
    "exclu",
    "search",
    "mandatory",
    "ignored",
    "null",
    "either",
    "created",
    "success",
    "duplicate",
    "match",
    "restrict",
    "narrow",
    "modified",
    " was ",
    "mark",
    " not ",
    "immutable",
    "never",
    "delet",
    "remov",
];

/// Whether a text can say a rule at all; a quick look before it is read.
pub(super) fn may_say_a_rule(text: &str) -> bool {
    let lower = text.to_lowercase();
    TELLING.iter().any(|word| lower.contains(word))
}

/// Visits every description and summary, but those of examples and extensions.
pub(super) fn each<'d>(document: &'d Document, visit: &mut dyn FnMut(&Trail<'d>, &'d Node)) {
    let mut trail = Trail::default();
    below(&document.root, 0, &mut trail, visit);
}

fn below<'d>(
    node: &'d Node,
    depth: usize,
    trail: &mut Trail<'d>,
    visit: &mut dyn FnMut(&Trail<'d>, &'d Node),
) {
    if depth > DEEPEST {
        return;
    }
    for entry in node.entries() {
        let key = entry.key.as_str();
        let is_text = matches!(key, "description" | "summary") && entry.value.as_str().is_some();
        if is_text {
            visit(trail, &entry.value);
        } else if !key.starts_with("x-") && !NOT_READ.contains(&key) {
            trail.push(key, &entry.value);
            below(&entry.value, depth + 1, trail, visit);
            trail.pop();
        }
    }
    for item in node.items() {
        trail.push("", item);
        below(item, depth + 1, trail, visit);
        trail.pop();
    }
}
