//! Canonical: writes values in a canonical form.

use std::fmt::Write;

use crate::number::Number;
use openapi_document::node::{Node, Value};

/// The value as JSON on one line, with sorted keys, and whole numbers without a decimal point.
pub(crate) fn text(node: &Node) -> String {
    let mut out = String::new();
    write(node, &mut out);
    out
}

fn write(node: &Node, out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(text) => match Number::parse(text) {
            Some(number) => {
                // Writing to a text cannot fail.
                let _ = write!(out, "{number}");
            }
            None => out.push_str(text),
        },
        Value::String(text) => {
            let _ = write!(
                out,
                "\"{}\"",
                text.replace('\\', "\\\\").replace('"', "\\\"")
            );
        }
        Value::Sequence(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(item, out);
            }
            out.push(']');
        }
        Value::Mapping(mapping) => {
            let mut entries: Vec<_> = mapping.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                let _ = write!(out, "{}\"{key}\":", if index == 0 { "" } else { "," });
                write(value, out);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use openapi_document::json;

    #[test]
    fn equal_values_have_the_same_form() {
        for (a, b) in [
            ("1", "1.0"),
            ("1200", "1.2e3"),
            (r#"{"b":[1.50],"a":null}"#, r#"{"a":null,"b":[1.5]}"#),
        ] {
            let read = |value: &str| text(&json::read_text(value).unwrap());
            assert_eq!(read(a), read(b));
        }
        let text = text(&json::read_text(r#"{"a":[-0.05,12,1e40,"x\"y"]}"#).unwrap());
        assert_eq!(text, r#"{"a":[-0.05,12,1e40,"x\"y"]}"#);
    }
}
