//! Texts: visits the descriptions and summaries of a document, each with its trail.

use openapi_document::Node;
use openapi_document::view::Document;

use super::Kinds;
use crate::place::Trail;

/// The maximum depth of nodes.
const DEEPEST: usize = 60;

/// Keys below which no text describes the service.
const NOT_READ: [&str; 6] = [
    "example",
    "examples",
    "default",
    "enum",
    "const",
    "externalDocs",
];

/// Every sentence that states a rule contains one of these.
const TELLING: [&str; 53] = [
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
    "minus",
    "plus",
    "sum of",
    "total of",
    "multiplied",
    "omitted",
    " times ",
    "becomes",
];

/// Every sentence about pages or idempotency keys contains one of these.
const TELLING_OF_CALLS: [&str; 20] = [
    "page",
    "pagin",
    "cursor",
    "token",
    "number of",
    "how many",
    "size",
    "limit",
    "maximum",
    "offset",
    "index",
    "position",
    "skip",
    "next",
    "previous",
    "batch",
    "idempoten",
    "same",
    "prevent",
    "avoid",
];

/// Whether a text may state a rule of these kinds: a quick test before the full reading.
pub(super) fn may_say_a_rule(text: &str, kinds: Kinds) -> bool {
    let lower = text.to_lowercase();
    let tells = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    tells(&TELLING) && (kinds == Kinds::All || tells(&TELLING_OF_CALLS))
}

/// Visits every description and summary, except in examples and extensions.
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
