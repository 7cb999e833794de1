//! Casing: finds texts that allow either letter case for listed values. Pure.

use openapi_document::view::Document;
use openapi_document::{Node, Value};

use crate::prose;
use crate::shape::Shape;

/// Whether the description of a place, or of the document, says that letter case does not matter.
pub(super) fn is_free(document: &Document, shape: &Shape<'_>) -> bool {
    let overall = document.root.get("info");
    let overall = overall.and_then(|overall| overall.get("description"));
    let description = shape.keyword("description");
    let texts = [overall, description]
        .into_iter()
        .flatten()
        .filter_map(Node::as_str);
    texts
        .flat_map(prose::spoken)
        .any(|item| allows_any_case(&item))
}

fn allows_any_case(words: &[String]) -> bool {
    const FREE: [&str; 11] = [
        "difference",
        "either",
        "ignored",
        "ignoring",
        "irrelevant",
        "matter",
        "matters",
        "regardless",
        "same",
        "whatever",
        "without",
    ];
    let speaks = prose::has(
        words,
        &["case", "casing", "capitals", "uppercase", "lowercase"],
    );
    let is_word = |text: &String| text.contains("insensitive");
    words.iter().any(is_word) || (speaks && prose::has(words, &FREE))
}

/// Replaces every text `old` under a name. Returns the number of replacements.
pub(super) fn replaced(node: &mut Node, name: &str, (old, new): (&str, &str)) -> usize {
    match &mut node.value {
        Value::Mapping(mapping) => {
            let entries = mapping.entries.iter_mut();
            let replaced_here = entries.map(|entry| match &mut entry.value.value {
                Value::String(text) if entry.key == name && text == old => {
                    new.clone_into(text);
                    1
                }
                _ => replaced(&mut entry.value, name, (old, new)),
            });
            replaced_here.sum()
        }
        Value::Sequence(items) => {
            let replaced_in_items = items
                .iter_mut()
                .map(|item| replaced(item, name, (old, new)));
            replaced_in_items.sum()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;

    #[test]
    fn texts_about_letter_case() {
        for (text, expected) in [
            ("Upper and lower case make no difference", true),
            ("Currencies are case-insensitive", true),
            ("Case is ignored", true),
            ("ISO 4217 code, capital letters", false),
            ("In lower case", false),
        ] {
            assert_eq!(allows_any_case(&names::words(text)), expected, "{text}");
        }
    }
}
