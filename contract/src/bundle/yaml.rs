//! YAML: writes a tree with `serde_yaml`.
//!
//! `serde_yaml` supports only integers and `f64`, so it cannot write `1.50` or `1e400`. It writes
//! strings without quotes that other parsers read as another type: `on` and `2024-01-01` in YAML
//! 1.1, `'1e400'` in YAML 1.2. Three characters are line breaks in its version of YAML but not in
//! ours. Such scalars get a mark in front, which `serde_yaml` can only write as an escape in double
//! quotes; afterwards they are corrected in the text.

use std::fmt::Write as _;

use openapi_document::Node;
use openapi_document::node::Value;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The kind after the mark: a number, or a string for single or for double quotes.
const NUMBER: char = 'n';
const SINGLE: char = 's';
const DOUBLE: char = 'd';

/// The words that are booleans in YAML 1.1 but not for `serde_yaml`.
const WORDS: [&str; 6] = ["on", "off", "yes", "no", "y", "n"];

/// Writes a tree so that parsing the text gives the same tree.
///
/// # Errors
/// `serde_yaml` cannot write it.
pub(super) fn text(root: &Node) -> Result<String, serde_yaml::Error> {
    let mark = Mark::absent_from(&root.to_json());
    let marked = serde_yaml::to_string(&Marked {
        value: root,
        mark: &mark,
    })?;
    Ok(mark.put_right(&marked))
}

/// A mark that occurs in no string of the tree, neither directly nor as an escape.
struct Mark {
    text: String,
    escaped: String,
}

impl Mark {
    fn absent_from(json: &str) -> Self {
        let mut number = 0;
        loop {
            let text = format!("\u{ffff}{number}");
            let escaped = format!("\\uFFFF{number}");
            if !json.contains(&text) && !json.contains(&escaped) {
                return Self { text, escaped };
            }
            number += 1;
        }
    }

    fn before(&self, kind: char, scalar: &str) -> String {
        format!("{}{kind}{scalar}", self.text)
    }

    fn put_right(&self, marked: &str) -> String {
        let mut out = String::with_capacity(marked.len());
        let opening = format!("\"{}", self.escaped);
        let mut pieces = marked.split(opening.as_str());
        out.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let mut rest = piece.chars();
            let kind = rest.next();
            let (scalar, after) = rest.as_str().split_once('"').unwrap_or_default();
            // Writing to a string does not fail.
            let _ = match kind {
                Some(NUMBER) => write!(out, "{scalar}{after}"),
                Some(SINGLE) => write!(out, "'{scalar}'{after}"),
                _ => write!(out, "\"{}", rest.as_str()),
            };
        }
        out
    }
}

/// A part of the tree to serialize, with the mark.
struct Marked<'n, T: ?Sized> {
    value: &'n T,
    mark: &'n Mark,
}

impl Serialize for Marked<'_, Node> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mark = self.mark;
        match &self.value.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Number(digits) => match digits.parse::<i64>() {
                Ok(integer) if integer.to_string() == *digits => serializer.serialize_i64(integer),
                _ => serializer.serialize_str(&mark.before(NUMBER, digits)),
            },
            Value::String(text) => {
                let value = text.as_str();
                Marked { value, mark }.serialize(serializer)
            }
            Value::Sequence(items) => {
                serializer.collect_seq(items.iter().map(|value| Marked { value, mark }))
            }
            Value::Mapping(mapping) => {
                let mut map = serializer.serialize_map(None)?;
                for (key, value) in mapping.iter() {
                    map.serialize_entry(&Marked { value: key, mark }, &Marked { value, mark })?;
                }
                map.end()
            }
        }
    }
}

impl Serialize for Marked<'_, str> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.value;
        if text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
            serializer.serialize_str(&self.mark.before(DOUBLE, text))
        } else if looks_like_another_type(text) {
            serializer.serialize_str(&self.mark.before(SINGLE, text))
        } else {
            serializer.serialize_str(text)
        }
    }
}

/// Whether a string looks like a number, date, time or boolean. Too many matches do no harm,
/// because the string is only quoted. No match needs an escape.
fn looks_like_another_type(text: &str) -> bool {
    let may_begin = |first: char| first.is_ascii_digit() || "+-.".contains(first);
    let may_have = |c: char| c.is_ascii_alphanumeric() || "+-.:_ ".contains(c);
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
        || matches!(text, "=" | "<<")
        || (text.starts_with(may_begin)
            && text.chars().all(may_have)
            && text.contains(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use openapi_document::node::{Entry, Mapping};
    use openapi_document::{SourceMap, Span};
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngSeed};

    use super::*;

    fn node(value: Value) -> Node {
        let span = Span::START;
        Node { value, span }
    }

    fn string(text: &str) -> Node {
        node(Value::String(text.to_owned()))
    }

    fn map(entries: Vec<(String, Node)>) -> Node {
        let entry = |(key, value)| Entry {
            key,
            key_span: Span::START,
            value,
        };
        let entries = entries.into_iter().map(entry).collect();
        node(Value::Mapping(Mapping { entries }))
    }

    /// Compares both as JSON, so that the order of keys counts, too.
    fn same(tree: &Node) -> Result<(), String> {
        let text = text(tree).map_err(|error| error.to_string())?;
        let mut sources = SourceMap::default();
        let file = sources.add("t.yaml", text.clone());
        let read = openapi_document::yaml::read(&sources, file);
        let read = read.map_err(|error| format!("{error}\n{text}"))?;
        if read.to_json() == tree.to_json() {
            Ok(())
        } else {
            Err(format!("{} was parsed from\n{text}", read.to_json()))
        }
    }

    /// Strings that parsers easily read as another type.
    const STRINGS: &[&str] = &[
        "",
        " ",
        "  a",
        "a  ",
        "on",
        "Off",
        "NO",
        "yes",
        "y",
        "true",
        "False",
        "null",
        "Null",
        "~",
        "1",
        "1.0",
        "-1",
        "+1",
        ".5",
        "1.",
        "1e400",
        "-1E400",
        "1_000",
        "0x1f",
        "0o17",
        "0b1",
        "017",
        "08",
        ".inf",
        "-.INF",
        ".nan",
        "12345678901234567890123456789012345678901234567890",
        "2024-01-01",
        "2024-01-01 10:00:00",
        "2024-01-01T10:00:00Z",
        "12:30",
        "12:30:45",
        ":",
        "::",
        "a: b",
        "a:",
        ": a",
        "#",
        "a #b",
        "#a",
        "-",
        "- a",
        "--- a",
        "---",
        "...",
        "?",
        "? a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "&a",
        "*a",
        "!a",
        "!!str a",
        "{",
        "}",
        "[",
        "]",
        "[]",
        "{}",
        ",",
        "'",
        "''",
        "\"",
        "\"a\"",
        "'a'",
        "\\",
        "\\n",
        "=",
        "<<",
        "\n",
        "\n\n",
        "a\n",
        "\na",
        "a\nb",
        "a\n\nb",
        " a\nb",
        "a \nb",
        "a\n b",
        "a\nb\n\n",
        "a\r\nb",
        "\r",
        "\t",
        "\ta",
        "a\t",
        "a\tb",
        "\u{0}",
        "\u{1}",
        "\u{7f}",
        "\u{85}",
        "a\u{2028}b",
        "\u{2029}\n",
        "\u{feff}",
        "\u{feff}a",
        "\u{ffff}",
        "\u{ffff}0nx",
        "\\uFFFF0n1\"",
        "\"\\uFFFF0s1\"",
        "é",
        "日本",
        "🦀",
        "a\u{a0}b",
    ];

    #[test]
    fn strings_are_parsed_as_strings() {
        let items: Vec<Node> = STRINGS.iter().map(|text| string(text)).collect();
        let keys = STRINGS
            .iter()
            .map(|text| ((*text).to_owned(), string(text)));
        let keys: Vec<_> = keys.collect();
        for scalar in items
            .iter()
            .chain([&node(Value::Sequence(items.clone())), &map(keys.clone())])
        {
            assert_eq!(same(scalar), Ok(()));
        }
        for (key, value) in keys {
            assert_eq!(same(&map(vec![(key, value)])), Ok(()));
        }
        let long = "a b: ".repeat(400);
        assert_eq!(same(&map(vec![(long.clone(), string(&long))])), Ok(()));
    }

    #[test]
    fn a_yaml_1_1_parser_reads_every_string_as_a_string() {
        let quoted = |scalar: &str| text(&string(scalar)).unwrap();
        for scalar in [
            "on",
            "No",
            "y",
            "2024-01-01",
            "12:30",
            "1_000",
            "0b1",
            "=",
            "<<",
            "1e400",
        ] {
            assert_eq!(quoted(scalar), format!("'{scalar}'\n"));
        }
        for scalar in ["once", "nothing", "a1", "v1.0", "/v1/{id}", "-", "+a"] {
            let text = quoted(scalar);
            assert!(
                text.trim() == scalar || text.trim() == format!("'{scalar}'"),
                "{text}"
            );
        }
    }

    #[test]
    fn numbers_keep_their_digits() {
        for digits in [
            "0",
            "-0",
            "1.50",
            "0.10",
            "1e400",
            "-1E-400",
            "1e+5",
            "12345678901234567890123",
            "-5",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551616",
            "1.0",
            "100",
        ] {
            let number = node(Value::Number(digits.to_owned()));
            assert_eq!(text(&number).unwrap(), format!("{digits}\n"));
            let in_map = map(vec![("a".to_owned(), number)]);
            assert_eq!(text(&in_map).unwrap(), format!("a: {digits}\n"));
            assert_eq!(same(&in_map), Ok(()));
        }
    }

    #[test]
    fn deep_and_empty_trees_are_written() {
        let mut deep = node(Value::Sequence(Vec::new()));
        for level in 0..500 {
            deep = if level % 2 == 0 {
                map(vec![
                    ("a".to_owned(), deep),
                    ("b".to_owned(), map(Vec::new())),
                ])
            } else {
                node(Value::Sequence(vec![deep, node(Value::Null)]))
            };
        }
        assert_eq!(same(&deep), Ok(()));
        let twice = map(vec![
            ("a".to_owned(), string("1")),
            ("a".to_owned(), string("2")),
        ]);
        assert_eq!(same(&twice), Ok(()));
    }

    fn strings() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "\\PC{0,12}",
            "[ \t\r\n\u{85}\u{2028}\u{2029}\u{feff}\u{ffff}a:#'\"\\\\-]{0,10}",
            "[+-]?[0-9.eExob_:-]{1,8}",
            prop::sample::select(STRINGS).prop_map(str::to_owned),
        ]
    }

    fn trees() -> impl Strategy<Value = Node> {
        let number = "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,12})?([eE][+-]?[0-9]{1,4})?";
        let leaf = prop_oneof![
            Just(node(Value::Null)),
            any::<bool>().prop_map(|value| node(Value::Bool(value))),
            number.prop_map(|value| node(Value::Number(value))),
            strings().prop_map(|value| string(&value)),
        ];
        leaf.prop_recursive(5, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6)
                    .prop_map(|value| node(Value::Sequence(value))),
                prop::collection::vec((strings(), inner), 0..6).prop_map(map),
            ]
        })
    }

    proptest! {
        #![proptest_config(Config {
            failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..Config::default()
        })]

        #[test]
        fn written_trees_are_parsed_unchanged(tree in trees()) {
            let outcome = same(&tree);
            prop_assert!(outcome.is_ok(), "{:?}", outcome);
        }
    }
}
