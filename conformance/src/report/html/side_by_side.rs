//! Aligns two bodies line by line, in the order of the documented one.

use openapi_document::{Mapping, Node, Value};
use serde::Serialize;

use crate::value;

/// The greatest number of rows.
const MOST_ROWS: usize = 1500;

/// A line of either body, or of both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    /// The place in the body, only on the first line of a value.
    #[serde(rename = "p", skip_serializing_if = "Option::is_none")]
    pub(super) pointer: Option<String>,
    /// The documented line.
    #[serde(rename = "l", skip_serializing_if = "Option::is_none")]
    pub(super) left: Option<String>,
    /// The received line.
    #[serde(rename = "r", skip_serializing_if = "Option::is_none")]
    pub(super) right: Option<String>,
    /// Whether both values are equal.
    #[serde(rename = "s", skip_serializing_if = "std::ops::Not::not")]
    pub(super) same: bool,
}

/// The aligned lines of two bodies, at most [`MOST_ROWS`].
pub(super) fn rows(left: &Node, right: &Node) -> Vec<Row> {
    let mut walk = Walk::default();
    walk.both("", "", (left, right), 0);
    walk.rows
}

/// A body on many lines, at most [`MOST_ROWS`]. Numbers keep their digits.
pub(super) fn pretty(node: &Node) -> String {
    let text = node.to_json_pretty();
    match text.match_indices('\n').nth(MOST_ROWS - 1) {
        Some((end, _)) => format!("{}\n…", &text[..end]),
        None => text,
    }
}

#[derive(Default)]
struct Walk {
    rows: Vec<Row>,
}

impl Walk {
    fn push(&mut self, pointer: Option<&str>, left: Option<String>, right: Option<String>) {
        let full = self.rows.len() >= MOST_ROWS;
        if full && self.rows.len() > MOST_ROWS {
            return;
        }
        let cut = || Some("…".to_owned());
        let (left, right) = if full { (cut(), cut()) } else { (left, right) };
        self.rows.push(Row {
            pointer: pointer.map(str::to_owned),
            same: left == right,
            left,
            right,
        });
    }

    /// `key` is the text before the value on its first line.
    fn both(&mut self, pointer: &str, key: &str, (left, right): (&Node, &Node), depth: usize) {
        if is_short(left) && is_short(right) {
            let left = Some(line(depth, key, &scalar(left)));
            let right = Some(line(depth, key, &scalar(right)));
            return self.push(Some(pointer), left, right);
        }
        match (&left.value, &right.value) {
            (Value::Mapping(left), Value::Mapping(right)) => {
                let open = Some(line(depth, key, "{"));
                self.push(Some(pointer), open.clone(), open);
                self.members(pointer, left, right, depth + 1);
                let close = Some(line(depth, "", "}"));
                self.push(None, close.clone(), close);
            }
            (Value::Sequence(left), Value::Sequence(right)) => {
                let open = Some(line(depth, key, "["));
                self.push(Some(pointer), open.clone(), open);
                for index in 0..left.len().max(right.len()) {
                    let below = format!("{pointer}/{index}");
                    self.any(&below, "", (left.get(index), right.get(index)), depth + 1);
                }
                let close = Some(line(depth, "", "]"));
                self.push(None, close.clone(), close);
            }
            _ => {
                self.any(pointer, key, (Some(left), None), depth);
                self.any(pointer, key, (None, Some(right)), depth);
            }
        }
    }

    fn members(&mut self, pointer: &str, left: &Mapping, right: &Mapping, depth: usize) {
        let others = right.iter().filter(|(key, _)| !left.contains(key));
        let others = others.map(|(key, value)| (key, None, Some(value)));
        let documented = left.iter().map(|(key, value)| {
            let came = right.iter().find(|(item, _)| *item == key);
            (key, Some(value), came.map(|(_, value)| value))
        });
        for (key, left, right) in documented.chain(others) {
            let segment = key.replace('~', "~0").replace('/', "~1");
            let label = format!("{}: ", value::string(key).to_json());
            self.any(
                &format!("{pointer}/{segment}"),
                &label,
                (left, right),
                depth,
            );
        }
    }

    fn any(
        &mut self,
        pointer: &str,
        key: &str,
        (left, right): (Option<&Node>, Option<&Node>),
        depth: usize,
    ) {
        let (one, is_left) = match (left, right) {
            (Some(left), Some(right)) => return self.both(pointer, key, (left, right), depth),
            (Some(left), None) => (left, true),
            (None, Some(right)) => (right, false),
            (None, None) => return,
        };
        let mut alone = Self::default();
        alone.both(pointer, key, (one, one), depth);
        for row in alone.rows {
            let (left, right) = if is_left {
                (row.left, None)
            } else {
                (None, row.right)
            };
            self.push(row.pointer.as_deref(), left, right);
        }
    }
}

/// Whether a value is a scalar or empty, and so fits on one line.
fn is_short(node: &Node) -> bool {
    node.items().next().is_none() && node.entries().next().is_none()
}

fn line(depth: usize, key: &str, text: &str) -> String {
    format!("{:1$}{key}{text}", "", depth * 2)
}

fn scalar(node: &Node) -> String {
    value::excerpt(&node.to_json())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(left: &str, right: &str) -> Vec<String> {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        let text = |side: Option<String>| side.unwrap_or_default();
        let rows = rows(&read(left), &read(right));
        rows.into_iter()
            .map(|row| {
                let sign = if row.same { '=' } else { '!' };
                format!("{}|{sign}|{}", text(row.left), text(row.right))
            })
            .collect()
    }

    #[test]
    fn keys_align_in_any_order_and_numbers_keep_their_digits() {
        assert_eq!(
            lines(
                r#"{"a":1.10,"b":{"c":[1]},"d":2}"#,
                r#"{"e":null,"b":{"c":[1,2]},"a":1.1}"#
            ),
            [
                "{|=|{",
                "  \"a\": 1.10|!|  \"a\": 1.1",
                "  \"b\": {|=|  \"b\": {",
                "    \"c\": [|=|    \"c\": [",
                "      1|=|      1",
                "|!|      2",
                "    ]|=|    ]",
                "  }|=|  }",
                "  \"d\": 2|!|",
                "|!|  \"e\": null",
                "}|=|}"
            ]
        );
    }

    #[test]
    fn values_of_different_types_are_below_each_other() {
        assert_eq!(
            lines(r#"{"a":{"b":1}}"#, r#"{"a":"x"}"#),
            [
                "{|=|{",
                "  \"a\": {|!|",
                "    \"b\": 1|!|",
                "  }|!|",
                "|!|  \"a\": \"x\"",
                "}|=|}"
            ]
        );
    }

    #[test]
    fn long_bodies_are_cut() {
        let long = format!("[{}1]", "1,".repeat(5000));
        let lines = lines(&long, &long);
        assert_eq!(lines.len(), MOST_ROWS + 1);
        assert_eq!(lines[MOST_ROWS], "…|=|…");
        let pretty = pretty(&openapi_document::json::read_text(&long).unwrap());
        assert_eq!(pretty.lines().count(), MOST_ROWS + 1);
        assert_eq!(pretty.lines().last(), Some("…"));
    }
}
