//! Pieces: how many of something a request is about, where each is one. Pure.

use openapi_document::Node;

use super::amount::Amount;
use crate::model::names;
use crate::value;

/// What lists of pieces are called.
const PIECES: [&str; 5] = ["lines", "items", "tickets", "seats", "positions"];

/// How many pieces a request is about: one, or as many as its only list of lines says together.
pub(super) fn of(sent: Option<&Node>) -> Option<Amount> {
    let entries = sent.into_iter().flat_map(Node::entries);
    let is_line = |own: &Node| own.as_mapping().is_some();
    let mut lists = entries.filter(|own| own.value.items().any(is_line));
    let one = Amount::read(&value::number(1))?;
    let Some(lines) = lists.next() else {
        return Some(one);
    };
    let name = names::words(&lines.key).pop().unwrap_or_default();
    PIECES.contains(&name.as_str()).then_some(())?;
    let of_line = |line: &Node| {
        let mut counts = line.entries().filter(|own| {
            let name = names::words(&own.key);
            matches!(
                name.last().map(String::as_str),
                Some("quantity" | "qty" | "count")
            )
        });
        let only = counts.next().filter(|_| counts.next().is_none())?;
        Amount::read(&only.value).filter(|own| own.is_whole())
    };
    let mut counted = lines.value.items().map(of_line);
    let first = counted.next()??;
    let all = counted.try_fold(first, |sum, own| sum.plus(own?));
    all.filter(|_| lists.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_up() {
        for (text, expected) in [
            (r#"{"name": "Ada"}"#, Some(1)),
            (
                r#"{"lines": [{"kind": "adult", "quantity": 2}, {"kind": "child", "quantity": 3}]}"#,
                Some(5),
            ),
            (r#"{"lines": [{"kind": "adult"}]}"#, None),
            (r#"{"extras": [{"kind": "meal", "quantity": 2}]}"#, None),
            (
                r#"{"lines": [{"quantity": 2}], "extras": [{"quantity": 1}]}"#,
                None,
            ),
            (r#"{"lines": [{"quantity": 1.5}]}"#, None),
        ] {
            let sent = openapi_document::json::read_text(text).unwrap();
            assert_eq!(of(Some(&sent)).map(|own| own.units), expected, "{text}");
        }
    }
}
