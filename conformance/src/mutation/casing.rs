//! Casing: listed values in the other case, and where a text lets their letters be of either. Pure.

use openapi_document::view::Document;
use openapi_document::{Node, Value};

use crate::prose;
use crate::shape::Shape;

/// Whether a text says of a place, or of the whole document, that the case of letters makes no difference.
pub(super) fn is_free(document: &Document, shape: &Shape<'_>) -> bool {
    let overall = document.root.get("info");
    let overall = overall.and_then(|own| own.get("description"));
    let own = shape.keyword("description");
    let texts = [overall, own]
        .into_iter()
        .flatten()
        .filter_map(Node::as_str);
    texts.flat_map(prose::spoken).any(|own| says_free(&own))
}

fn says_free(words: &[String]) -> bool {
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
    let is_word = |own: &String| own.contains("insensitive");
    words.iter().any(is_word) || (speaks && prose::has(words, &FREE))
}

/// Puts another text in the place of each that stands under a name; how many there were.
pub(super) fn replaced(node: &mut Node, name: &str, (old, new): (&str, &str)) -> usize {
    match &mut node.value {
        Value::Mapping(mapping) => {
            let entries = mapping.entries.iter_mut();
            let of = entries.map(|own| match &mut own.value.value {
                Value::String(text) if own.key == name && text == old => {
                    new.clone_into(text);
                    1
                }
                _ => replaced(&mut own.value, name, (old, new)),
            });
            of.sum()
        }
        Value::Sequence(items) => {
            let of = items.iter_mut().map(|own| replaced(own, name, (old, new)));
            of.sum()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;

    #[test]
    fn what_is_said_of_the_case_of_letters() {
        for (text, expected) in [
            ("Upper and lower case make no difference", true),
            ("Currencies are case-insensitive", true),
            ("Case is ignored", true),
            ("ISO 4217 code, capital letters", false),
            ("In lower case", false),
        ] {
            assert_eq!(says_free(&names::words(text)), expected, "{text}");
        }
    }
}
