//! Creates and compares exact JSON values that are in no source text.

use std::fmt::Write as _;
use std::sync::LazyLock;

use openapi_document::node::Entry;
use openapi_document::{Node, Pointer, SourceMap, Span, Value};

/// A value without a place. Its span must never be looked up.
pub fn node(value: Value) -> Node {
    Node {
        value,
        span: no_span(),
    }
}

/// A string.
pub fn string(text: &str) -> Node {
    node(Value::String(text.to_owned()))
}

/// A number, as it is displayed.
pub fn number(number: impl std::fmt::Display) -> Node {
    node(Value::Number(number.to_string()))
}

/// A key with its value.
pub fn entry(key: &str, value: Node) -> Entry {
    Entry {
        key: key.to_owned(),
        key_span: no_span(),
        value,
    }
}

/// A value in a path, a header or a text: strings without quotes, other values as JSON.
pub fn plain(node: &Node) -> String {
    node.as_str().map_or_else(|| node.to_json(), str::to_owned)
}

/// A text as a value of a schema's type; a string when there is no type. `None` when the text is
/// not of that type.
pub fn of_type(text: &str, type_name: Option<&str>) -> Option<Node> {
    match type_name {
        Some("integer" | "number" | "boolean" | "array" | "object") => {
            openapi_document::json::read_text(text).ok()
        }
        _ => Some(string(text)),
    }
}

/// Sets the value at a pointer. Creates missing objects; `-` or the index after the last one
/// appends to an array.
///
/// # Errors
/// The pointer leads through a value that is neither an object nor an existing item.
pub fn put(root: &mut Node, pointer: &Pointer, value: Node) -> Result<(), String> {
    let mut here = root;
    for segment in pointer.segments() {
        here = step(here, &segment)
            .ok_or_else(|| format!("`{pointer}` leads through a value that has no `{segment}`"))?;
    }
    *here = value;
    Ok(())
}

/// Removes a property of an object.
pub fn remove(object: &mut Node, name: &str) {
    if let Value::Mapping(mapping) = &mut object.value {
        mapping.entries.retain(|entry| entry.key != name);
    }
}

/// Removes the property at a pointer, if it is there.
pub fn take(root: &mut Node, pointer: &Pointer) {
    let segments: Vec<_> = pointer.segments().collect();
    let Some((name, before)) = segments.split_last() else {
        return;
    };
    let mut here = root;
    for segment in before {
        let Value::Mapping(mapping) = &mut here.value else {
            return;
        };
        let mut entries = mapping.entries.iter_mut();
        let Some(entry) = entries.find(|entry| entry.key == **segment) else {
            return;
        };
        here = &mut entry.value;
    }
    remove(here, name);
}

fn step<'n>(node: &'n mut Node, segment: &str) -> Option<&'n mut Node> {
    match &mut node.value {
        Value::Mapping(mapping) => {
            let known = mapping
                .entries
                .iter()
                .position(|entry| entry.key == segment);
            let index = known.unwrap_or(mapping.entries.len());
            if known.is_none() {
                let empty = self::node(Value::Mapping(openapi_document::Mapping::default()));
                mapping.entries.push(entry(segment, empty));
            }
            Some(&mut mapping.entries[index].value)
        }
        Value::Sequence(items) => {
            let index = match segment {
                "-" => items.len(),
                index => index.parse::<usize>().ok()?,
            };
            if index == items.len() {
                items.push(self::node(Value::Mapping(
                    openapi_document::Mapping::default(),
                )));
            }
            items.get_mut(index)
        }
        _ => None,
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The mark after the text of a cut excerpt.
pub const CUT: &str = "… (";

/// One line of text, cut after 200 characters.
pub fn excerpt(text: &str) -> String {
    excerpt_of(text, 200)
}

/// One line of text, cut after `limit` characters.
pub fn excerpt_of(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((cut, _)) => format!("{}{CUT}{} bytes)", visible(&text[..cut]), text.len()),
        None => visible(text),
    }
}

/// A text with escaped control characters.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_control() {
            visible.extend(char.escape_default());
        } else {
            visible.push(char);
        }
    }
    visible
}

fn no_span() -> Span {
    static NOWHERE: LazyLock<Span> = LazyLock::new(|| Span {
        file: SourceMap::default().add("", String::new()),
        start: 0,
        end: 0,
    });
    *NOWHERE
}

/// Whether an answer contains everything that was sent, with numbers compared by value. The server
/// may add properties.
pub fn is_equal(sent: &Node, actual: &Node) -> bool {
    match (&sent.value, &actual.value) {
        (Value::Mapping(_), Value::Mapping(_)) => sent.entries().all(|entry| {
            let actual = actual.get(&entry.key);
            // The server may omit a property that was set to null.
            let is_gone = entry.value.is_null() && actual.is_none();
            is_gone || actual.is_some_and(|value| is_equal(&entry.value, value))
        }),
        (Value::Sequence(one), Value::Sequence(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|item| other.iter().any(|other| is_equal(item, other)))
        }
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.parse::<f64>().ok() == other.parse::<f64>().ok()
        }
        (Value::String(one), Value::String(other)) => one == other || is_same_moment(one, other),
        _ => sent.same_value(actual),
    }
}

/// Whether two texts are timestamps of the same moment.
fn is_same_moment(one: &str, other: &str) -> bool {
    let moment = |text: &str| text.parse::<jiff::Timestamp>().ok();
    moment(one).is_some_and(|one| moment(other) == Some(one))
}

/// Another value of the same type: a text that differs in one letter or digit, or a neighbouring
/// number.
pub fn unlike(old: &Node) -> Option<Node> {
    match &old.value {
        Value::String(text) => {
            let at = text.find(|char: char| char.is_ascii_alphanumeric())?;
            let new = match text.as_bytes()[at] {
                b'0'..=b'8' => "9",
                b'9' => "8",
                b'x' => "y",
                b'X' => "Y",
                b'a'..=b'z' => "x",
                _ => "X",
            };
            Some(string(&format!("{}{new}{}", &text[..at], &text[at + 1..])))
        }
        Value::Number(text) => {
            let known: i64 = text.parse().ok()?;
            let step = if known > 1 { -1 } else { 1 };
            Some(number(known + step))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_one_visible_line() {
        assert_eq!(excerpt("<a>\n\u{1b}[31mü"), "<a>\\n\\u{1b}[31mü");
        let long = excerpt(&"ü".repeat(300));
        assert!(long.ends_with("ü… (600 bytes)"), "{long}");
    }

    #[test]
    fn numbers_and_moments_are_equal_by_their_value() {
        for (sent, actual, expected) in [
            ("0", "0.0", true),
            ("1", "2", false),
            (
                r#""2027-01-01T00:00:00Z""#,
                r#""2027-01-01T01:00:00.000+01:00""#,
                true,
            ),
            (
                r#""2027-01-01T00:00:00Z""#,
                r#""2027-01-01T00:00:01Z""#,
                false,
            ),
            (r#"{"a":1}"#, r#"{"a":1.0,"b":2}"#, true),
            (r#"{"a":1,"b":2}"#, r#"{"a":1}"#, false),
        ] {
            let read = |text| openapi_document::json::read_text(text).unwrap();
            assert_eq!(is_equal(&read(sent), &read(actual)), expected, "{sent}");
        }
    }

    #[test]
    fn sets_values_at_pointers() {
        for (before, pointer, after) in [
            (r#"{"a":1}"#, "/a", Some(r#"{"a":"x"}"#)),
            (r#"{"a":1}"#, "/b/c", Some(r#"{"a":1,"b":{"c":"x"}}"#)),
            (r#"{"a":[1,2]}"#, "/a/1", Some(r#"{"a":[1,"x"]}"#)),
            (r#"{"a":[1]}"#, "/a/-", Some(r#"{"a":[1,"x"]}"#)),
            (r#"{"a":[1]}"#, "/a/7", None),
            (r#"{"a":1}"#, "/a/b", None),
            ("1", "", Some(r#""x""#)),
        ] {
            let mut root = openapi_document::json::read_text(before).unwrap();
            let put = put(&mut root, &Pointer::parse(pointer).unwrap(), string("x"));
            assert_eq!(
                put.ok().map(|()| root.to_json()).as_deref(),
                after,
                "{pointer}"
            );
        }
    }
}
