//! Extremes: finds values at the bounds of a schema for the places of a valid body.

use openapi_document::{Mapping, Node, Pointer, Value};

use crate::check_digit;
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use crate::amount::Amount;
use crate::scene::Scene;

/// Longer texts are not sent.
const LONGEST: u64 = 10_000;

/// At most this many other enumerated values are sent.
pub(super) const OTHERS: usize = 6;

/// Words of properties whose values require other properties.
const DECIDES: [&str; 12] = [
    "type", "kind", "method", "mode", "status", "state", "action", "scheme", "provider", "channel",
    "format", "role",
];

/// A text with characters that servers often escape or cannot encode.
pub(super) const MARKED: &str = "O'Neil & Søn";

/// Collects values at the bounds of the schema, each with its pointer.
pub(super) fn collect<'d>(
    scene: &Scene<'_, 'd>,
    pointer: &Pointer,
    node: &Node,
    shape: &Shape<'d>,
    extremes: &mut Vec<(Pointer, Node)>,
) {
    let document = scene.model.document;
    match &node.value {
        Value::Mapping(_) if shape.is_map() => {
            extremes.extend(fuller(pointer, Some(node)).map(|value| (pointer.clone(), value)));
        }
        Value::Mapping(_) if pointer.depth() < 3 => {
            for entry in node.entries() {
                let shape = shape.property(document, &entry.key);
                collect(
                    scene,
                    &pointer.join(entry.key.as_str()),
                    &entry.value,
                    &shape,
                    extremes,
                );
            }
            for name in shape.property_names() {
                let at = pointer.join(name);
                if node.get(name).is_none() && shape.property(document, name).is_map() {
                    extremes.extend(fuller(&at, None).map(|value| (at, value)));
                }
            }
        }
        // From lists: the first item, with its numbers and longest texts.
        Value::Sequence(items) if pointer.depth() == 1 => {
            let Some(first) = items.first().filter(|node| node.as_mapping().is_some()) else {
                return;
            };
            let (at, shape) = (pointer.join("0"), shape.items(document));
            let mut found = Vec::new();
            collect(scene, &at, first, &shape, &mut found);
            found.retain(|(_, extreme)| {
                matches!(extreme.value, Value::Number(_)) || is_long(extreme)
            });
            extremes.extend(found);
        }
        Value::String(text) if !shape.known_values().is_empty() => {
            let decides = names::words(&pointer.last().unwrap_or_default());
            if decides.iter().any(|word| DECIDES.contains(&word.as_str())) {
                return;
            }
            let others = shape.known_values().into_iter().filter(|item| item != text);
            let others = others
                .take(OTHERS)
                .map(|text| (pointer.clone(), value::string(text)));
            extremes.extend(others);
        }
        Value::String(_) if cents_less(node).is_some() => {
            extremes.extend(cents_less(node).map(|value| (pointer.clone(), value)));
        }
        Value::String(_) if is_free_text(pointer, shape) => {
            let longest = shape.keyword("maxLength").and_then(Node::as_u64);
            if let Some(length) = longest.filter(|length| (1..=LONGEST).contains(length)) {
                let text = "\u{1d11e}".repeat(usize::try_from(length).unwrap_or_default());
                extremes.push((pointer.clone(), value::string(&text)));
                if length >= MARKED.chars().count() as u64 {
                    extremes.push((pointer.clone(), value::string(MARKED)));
                }
            }
        }
        Value::String(text)
            if let Some(longest) =
                longest_of(shape, text).filter(|_| !is_checked(pointer, shape, text)) =>
        {
            extremes.push((pointer.clone(), value::string(&longest)));
        }
        // The key of another record is not a quantity.
        Value::Number(_) if names_other(scene, shape, pointer) || mentions_refusal(shape) => {}
        Value::Number(_) => {
            let excluded = |flag| shape.flag(flag) || shape.keyword("multipleOf").is_some();
            for (keyword, flag) in [
                ("maximum", "exclusiveMaximum"),
                ("minimum", "exclusiveMinimum"),
            ] {
                if let (Some(bound), false) = (shape.keyword(keyword), excluded(flag)) {
                    let bound = plain(bound, shape);
                    let uneven = uneven(&bound).filter(|_| keyword == "maximum");
                    extremes.extend(uneven.map(|value| (pointer.clone(), value)));
                    extremes.push((pointer.clone(), bound));
                }
            }
        }
        _ => {}
    }
}

/// Whether a text consists of characters beyond the first Unicode plane.
pub(super) fn is_long(extreme: &Node) -> bool {
    let mut all = extreme.as_str().into_iter().flat_map(str::chars);
    all.next().is_some_and(|character| character > '\u{ffff}')
}

/// A free-form map such as `metadata`, with two more entries. `None` for other maps.
fn fuller(pointer: &Pointer, map: Option<&Node>) -> Option<Node> {
    const FREE: [&str; 5] = ["metadata", "labels", "tags", "annotations", "attributes"];
    let words = names::words(&pointer.last()?);
    let is_free = words.iter().any(|word| FREE.contains(&word.as_str()));
    let first = map.and_then(|node| node.entries().next());
    let first = first.map_or_else(|| value::string("text"), |entry| entry.value.clone());
    let empty = || value::node(Value::Mapping(Mapping { entries: vec![] }));
    let mut fuller = map.cloned().unwrap_or_else(empty);
    for key in ["second", "third"] {
        value::put(&mut fuller, &Pointer::root().join(key), first.clone()).ok()?;
    }
    is_free.then_some(fuller)
}

/// Whether a text may have check digits or refer to something that exists, such as an account number.
fn is_checked(pointer: &Pointer, shape: &Shape<'_>, example: &str) -> bool {
    const CHECKED: [&str; 14] = [
        "bic", "account", "card", "pan", "tax", "phone", "isbn", "ean", "gtin", "token", "id",
        "code", "postal", "zip",
    ];
    let text = shape.keyword("description").and_then(Node::as_str);
    let mut segments = pointer.segments();
    check_digit::is_checked(example)
        || segments.any(|name| prose::has(&names::words(&name), &CHECKED))
        || text.is_some_and(|name| prose::has(&names::words(name), &["luhn", "checksum", "check"]))
}

/// The longest text of a pattern with one character class: `^[A-Z0-9 ]{5,22}$`.
fn longest_of(shape: &Shape<'_>, text: &str) -> Option<String> {
    let pattern = shape.keyword("pattern").and_then(Node::as_str)?;
    let inner = pattern.strip_prefix("^[")?.strip_suffix("}$")?;
    let (class, counts) = inner.rsplit_once("]{")?;
    let (_, most) = counts.split_once(',')?;
    let most: usize = most.parse().ok()?;
    let last = text.chars().rev().find(char::is_ascii_alphanumeric)?;
    let is_plain = shape.format().is_none() && shape.keyword("maxLength").is_none();
    let more = most
        .checked_sub(text.chars().count())
        .filter(|item| *item > 0)?;
    let fits = !class.contains([']', '[']) && is_plain && most <= 200;
    fits.then(|| {
        text.chars()
            .chain(std::iter::repeat_n(last, more))
            .collect()
    })
}

/// Whether the text of a property says that some values are refused: `one that has expired is refused`.
fn mentions_refusal(shape: &Shape<'_>) -> bool {
    let text = shape.keyword("description").and_then(Node::as_str);
    let mut said = prose::spoken(text.unwrap_or_default()).into_iter();
    said.any(|words| prose::has(&words, &["refused", "rejected", "declined", "expired"]))
}

/// Whether a property is the key of a record that an operation creates.
fn names_other<'d>(scene: &Scene<'_, 'd>, shape: &Shape<'d>, pointer: &Pointer) -> bool {
    let name = pointer.last().unwrap_or_default();
    let kind = scene.model.named_by(shape, &name);
    kind.is_some_and(|kind| scene.model.creator_of(&kind).is_some())
}

/// A bound in the notation of values: 5 instead of `5.0` for an integer.
fn plain(bound: &Node, shape: &Shape<'_>) -> Node {
    let text = bound.as_number().unwrap_or_default();
    let whole = text.split_once('.').filter(|(_, part)| {
        let is_whole = part.chars().all(|character| character == '0');
        is_whole && shape.type_name() == Some("integer")
    });
    whole.map_or_else(|| bound.clone(), |(whole, _)| value::number(whole))
}

/// An odd number just below a large bound, which shows rounding to floating point.
fn uneven(bound: &Node) -> Option<Node> {
    let number: i64 = value::plain(bound).parse().ok()?;
    (number > i64::from(u16::MAX) && number % 2 == 0).then(|| value::number(number - 1))
}

/// A slightly smaller amount with decimal places, whose last digit is significant.
fn cents_less(node: &Node) -> Option<Node> {
    let amount = Amount::read(node).filter(|amount| !amount.is_whole())?;
    let less = if amount.units % 10 == 3 { 4 } else { 3 };
    (amount.units > 10).then(|| amount.with(amount.units - less).node())
}

/// Whether a property is a free text: not a key, code or formatted value.
fn is_free_text(pointer: &Pointer, shape: &Shape<'_>) -> bool {
    let name = pointer.last().unwrap_or_default();
    let has = |key| shape.keyword(key).is_some();
    let words = names::words(&name);
    let free = [
        "description",
        "comment",
        "note",
        "notes",
        "title",
        "name",
        "reason",
        "memo",
        "remark",
        "text",
        "message",
        "label",
        "subject",
        "summary",
        "caption",
        "instructions",
        "nickname",
    ];
    let is_plain = !["pattern", "enum", "format", "x-extensible-enum", "const"]
        .into_iter()
        .any(has);
    let text = shape.keyword("description").and_then(Node::as_str);
    let said = names::words(&text.unwrap_or_default().to_lowercase());
    let is_narrow = prose::has(
        &said,
        &[
            "ascii",
            "latin",
            "letters",
            "digits",
            "code",
            "sepa",
            "statement",
            "printed",
        ],
    );
    is_plain
        && !is_narrow
        && !shape.flag("x-natural-key")
        && words
            .last()
            .is_some_and(|word| free.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_with_more_entries() {
        let map = |text: &str| openapi_document::json::read_text(text).unwrap();
        let at = Pointer::root().join("metadata");
        for (before, expected) in [
            (
                Some(r#"{"table":"7"}"#),
                r#"{"table":"7","second":"7","third":"7"}"#,
            ),
            (None, r#"{"second":"text","third":"text"}"#),
        ] {
            let before = before.map(map);
            let found = fuller(&at, before.as_ref()).map(|node| node.to_json());
            assert_eq!(found.as_deref(), Some(expected));
        }
        let amounts = Pointer::root().join("balances");
        assert!(fuller(&amounts, Some(&map(r#"{"EUR": 7}"#))).is_none());
    }

    #[test]
    fn bounds_have_the_notation_of_values() {
        for (name, bound, expected) in [
            ("integer", "5.0", "5"),
            ("integer", "5", "5"),
            ("integer", "5.5", "5.5"),
            ("number", "5.0", "5.0"),
        ] {
            let text = format!(
                r#"{{"openapi":"3.1.0","info":{{"title":"t","version":"1"}},"paths":{{}},
                    "components":{{"schemas":{{"S":{{"type":"{name}","maximum":{bound}}}}}}}}}"#
            );
            let document = openapi_document::loader::load_text("t.json", &text).unwrap();
            let (_, schema) = document.components("schemas").remove(0);
            let shape = Shape::of(&document, Some(&schema));
            let found = plain(shape.keyword("maximum").unwrap(), &shape);
            assert_eq!(found.to_json(), expected, "{name} {bound}");
        }
    }

    #[test]
    fn longest_texts_of_patterns() {
        for (pattern, text, expected) in [
            ("^[A-Z0-9 ]{5,8}$", "SHOP M", Some("SHOP MMM")),
            ("^[A-Z]{3}$", "EUR", None),
            ("^[A-Z]{2,3}-[0-9]{1,9}$", "AB-1", None),
            ("^[A-Z0-9]{1,6}$", "ABCDEF", None),
        ] {
            let text_of = format!(
                r#"{{"openapi":"3.1.0","info":{{"title":"t","version":"1"}},"paths":{{}},
                    "components":{{"schemas":{{"S":{{"type":"string","pattern":"{pattern}"}}}}}}}}"#
            );
            let document = openapi_document::loader::load_text("t.json", &text_of).unwrap();
            let (_, schema) = document.components("schemas").remove(0);
            let shape = Shape::of(&document, Some(&schema));
            let found = longest_of(&shape, text);
            assert_eq!(found.as_deref(), expected, "{pattern}");
        }
    }
}
