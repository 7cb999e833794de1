//! JSON: parses text into a [`Node`], strictly, with exact numbers and a depth limit.

use jsonc_parser::ast::{ObjectPropName, Value as Ast};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

use crate::node::{Entry, Mapping, Node, Value};
use crate::source::{FileId, Span};

/// A JSON syntax error with its place.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct JsonError {
    /// A description of the error.
    pub message: String,
    /// The first byte of the error.
    pub start: u32,
    /// One past the last byte of the error.
    pub end: u32,
}

/// Parses a JSON text that is in a [`crate::SourceMap`].
///
/// # Errors
/// The text is not JSON (RFC 8259), or nested deeper than 512 levels.
pub fn read(file: FileId, text: &str) -> Result<Node, JsonError> {
    let collect = CollectOptions {
        comments: CommentCollectionStrategy::Off,
        tokens: false,
    };
    let strict = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &collect, &strict).map_err(|error| JsonError {
        message: error.kind().to_string(),
        start: index(error.range().start),
        end: index(error.range().end),
    })?;
    match parsed.value {
        Some(value) => Ok(node(file, value)),
        None => Err(JsonError {
            message: "the text is empty".to_owned(),
            start: 0,
            end: 0,
        }),
    }
}

/// Parses JSON that belongs to no file, such as a response body.
///
/// # Errors
/// Like [`read`].
pub fn read_text(text: &str) -> Result<Node, JsonError> {
    read(FileId::NONE, text)
}

fn node(file: FileId, value: Ast<'_>) -> Node {
    let span = span(file, value.range());
    let value = match value {
        Ast::NullKeyword(_) => Value::Null,
        Ast::BooleanLit(literal) => Value::Bool(literal.value),
        Ast::NumberLit(literal) => Value::Number(literal.value.to_owned()),
        Ast::StringLit(literal) => Value::String(literal.value.into_owned()),
        Ast::Array(array) => Value::Sequence(
            array
                .elements
                .into_iter()
                .map(|item| node(file, item))
                .collect(),
        ),
        Ast::Object(object) => {
            let entry = |property: jsonc_parser::ast::ObjectProp<'_>| {
                let key_span = match &property.name {
                    ObjectPropName::String(name) => name.range,
                    ObjectPropName::Word(name) => name.range,
                };
                Entry {
                    key_span: self::span(file, key_span),
                    key: property.name.into_string(),
                    value: node(file, property.value),
                }
            };
            Value::Mapping(Mapping {
                entries: object.properties.into_iter().map(entry).collect(),
            })
        }
    };
    Node { value, span }
}

fn span(file: FileId, range: Range) -> Span {
    Span {
        file,
        start: index(range.start),
        end: index(range.end),
    }
}

fn index(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

impl Node {
    /// Writes compact JSON; numbers keep their digits, and duplicate keys their order.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        write(self, None, 0, &mut out);
        out
    }

    /// Writes JSON with an indentation of two spaces.
    pub fn to_json_pretty(&self) -> String {
        let mut out = String::new();
        write(self, Some(2), 0, &mut out);
        out
    }

    /// Converts to a `serde_json` value. A number out of range becomes the nearest float.
    pub fn to_serde(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => (*flag).into(),
            Value::Number(text) => number(text),
            Value::String(text) => text.as_str().into(),
            Value::Sequence(items) => items.iter().map(Self::to_serde).collect(),
            Value::Mapping(mapping) => mapping
                .iter()
                .map(|(key, value)| (key.to_owned(), value.to_serde()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

fn number(text: &str) -> serde_json::Value {
    let exact = text.parse::<serde_json::Number>().ok();
    let number = exact.or_else(|| {
        let limit = if text.starts_with('-') {
            f64::MIN
        } else {
            f64::MAX
        };
        serde_json::Number::from_f64(limit)
    });
    number.map_or(serde_json::Value::Null, serde_json::Value::Number)
}

fn write(node: &Node, indent: Option<usize>, depth: usize, out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(text) => out.push_str(text),
        Value::String(text) => write_string(text, out),
        Value::Sequence(items) => {
            let write_item = |item: &Node, out: &mut String| write(item, indent, depth + 1, out);
            write_block(('[', ']'), items, indent, depth, out, write_item);
        }
        Value::Mapping(mapping) => {
            let write_entry = |entry: &Entry, out: &mut String| {
                write_string(&entry.key, out);
                out.push_str(if indent.is_some() { ": " } else { ":" });
                write(&entry.value, indent, depth + 1, out);
            };
            write_block(
                ('{', '}'),
                &mapping.entries,
                indent,
                depth,
                out,
                write_entry,
            );
        }
    }
}

fn write_block<T>(
    (open, close): (char, char),
    items: &[T],
    indent: Option<usize>,
    depth: usize,
    out: &mut String,
    write_item: impl Fn(&T, &mut String),
) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        new_line(indent, depth + 1, out);
        write_item(item, out);
    }
    if !items.is_empty() {
        new_line(indent, depth, out);
    }
    out.push(close);
}

fn new_line(indent: Option<usize>, depth: usize, out: &mut String) {
    if let Some(width) = indent {
        out.push('\n');
        for _ in 0..width * depth {
            out.push(' ');
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(place) = rest.bytes().position(is_escaped) {
        let (plain, special) = rest.split_at(place);
        out.push_str(plain);
        let (special, tail) = special.split_at(1);
        let escaped = serde_json::Value::from(special).to_string();
        out.push_str(escaped.get(1..escaped.len() - 1).unwrap_or_default());
        rest = tail;
    }
    out.push_str(rest);
    out.push('"');
}

/// Whether JSON escapes a byte.
fn is_escaped(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_digits_order_and_duplicates() {
        let text = r#"{"b":1.10,"a":[18446744073709552000,-0],"b":"é\n\u00e9"}"#;
        let node = read_text(text).unwrap();
        assert_eq!(
            node.to_json(),
            r#"{"b":1.10,"a":[18446744073709552000,-0],"b":"é\né"}"#
        );
        assert_eq!(node.get("b").unwrap().as_number(), Some("1.10"));
        assert_eq!(
            read_text(&node.to_json_pretty()).unwrap().to_json(),
            node.to_json()
        );
    }

    #[test]
    fn texts_are_escaped_like_serde_json() {
        let text = "\"é\\ /\u{1}\n\t\u{7f}\u{2028}\"\"";
        let json = serde_json::Value::from(text).to_string();
        assert_eq!(read_text(&json).unwrap().to_json(), json);
    }

    #[test]
    fn refuses_what_is_not_json() {
        let deep = "[".repeat(100_000);
        for text in [
            "", "{a:1}", "[1,]", "// x\n1", "+1", ".5", "01", "1 2", "'a'", "NaN", &deep,
        ] {
            assert!(read_text(text).is_err(), "accepted {text:.20}");
        }
    }

    #[test]
    fn numbers_beyond_serde_json_do_not_break_it() {
        let node = read_text(&format!("[1e999, -1e999, {}]", "9".repeat(400))).unwrap();
        assert!(
            node.to_serde()
                .as_array()
                .unwrap()
                .iter()
                .all(serde_json::Value::is_number)
        );
    }
}
