//! Mapped: what a text says that a property is for each value of another one: "`usd` for US, `gbp` for GB". Held against
//! every answer, where no documented one is otherwise. Pure.

use std::collections::BTreeSet;

use spec::document::{Document, MediaType};
use spec::node::Entry;
use spec::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::judge;
use crate::laws::steps::invariant::Contradiction;
use crate::model::Call;
use crate::shape::Shape;

use super::template::is_plain;

/// The first property of an answer that is not what its text says of the value beside it.
pub(crate) fn contradiction<'d>(
    (document, names): (&'d Document, &BTreeSet<&'d str>),
    call: &Call<'d>,
    exchange: &Exchange,
) -> Option<Contradiction> {
    let answer = exchange.outcome.as_ref().ok()?;
    let body = answer.json()?;
    let response = judge::select(&call.operation, answer.status)?;
    let content = response.content();
    let schema = content.iter().find_map(MediaType::schema);
    let shape = Shape::of(document, schema.as_ref());
    let found = |body: &Node| {
        let mut found = Vec::new();
        within(
            (document, names),
            &shape,
            body,
            &Pointer::root(),
            &mut found,
        );
        found
    };
    let astray = found(body).into_iter().next()?;
    let mut shown = content.iter().flat_map(MediaType::examples);
    let is_shown = shown.any(|own| !found(own.value.node).is_empty());
    (!is_shown).then_some(astray)
}

fn within<'d>(
    (document, names): (&'d Document, &BTreeSet<&'d str>),
    shape: &Shape<'d>,
    node: &Node,
    at: &Pointer,
    found: &mut Vec<Contradiction>,
) {
    let may_have = |own: &&Entry| !is_plain(&own.value) || names.contains(&*own.key);
    for entry in node.entries().filter(may_have) {
        let own = shape.property(document, &entry.key);
        let pointer = at.join(entry.key.as_str());
        let text = own.keyword("description").and_then(Node::as_str);
        let text = text.filter(|own| own.contains("` for "));
        let pairs = text.map(pairs).unwrap_or_default();
        if let (Some(told), [_, _, ..]) = (entry.value.as_str(), &pairs[..]) {
            let by = decides(document, shape, (&pairs, &entry.key));
            let of = by.and_then(|by| node.get(by)?.as_str());
            let mut due = pairs.iter().filter(|own| Some(own.1) == of);
            let due = due.next().filter(|_| due.next().is_none());
            if let Some((due, of)) = due.filter(|own| own.0 != told) {
                found.push(Contradiction {
                    check: &checks::EFFECT_DIFFERS,
                    pointer: pointer.clone(),
                    due: format!("{due:?}, as its text says for {of}"),
                    told: entry.value.to_json(),
                });
            }
        }
        within((document, names), &own, &entry.value, &pointer, found);
    }
    for (index, item) in node.items().enumerate() {
        let own = shape.items(document);
        within(
            (document, names),
            &own,
            item,
            &at.join(index.to_string()),
            found,
        );
    }
}

/// The only property beside one that has all the values that decide.
fn decides<'d>(
    document: &'d Document,
    shape: &Shape<'d>,
    (pairs, name): (&[(&str, &str)], &str),
) -> Option<&'d str> {
    let names = shape.property_names().into_iter();
    let mut found = names.filter(|own| {
        let known = shape.property(document, own).known_values();
        *own != name && pairs.iter().all(|pair| known.contains(&pair.1))
    });
    found.next().filter(|_| found.next().is_none())
}

/// The values that a text tells, each with the one that it is for: ``usd` for US`, ``eur` for DE, FR and NL`.
pub(crate) fn pairs(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = text.split('`').collect();
    let mut found = Vec::new();
    for at in (1..parts.len()).step_by(2) {
        let Some(rest) = parts.get(at + 1).and_then(|own| own.strip_prefix(" for ")) else {
            continue;
        };
        // The values may be marked, too: `usd` for `US`.
        if rest.trim().is_empty() {
            found.extend(parts.get(at + 2).map(|of| (parts[at], *of)));
            continue;
        }
        let clause = rest.split(['.', ';']).next().unwrap_or_default();
        let words = clause.split([',', ' ']).filter(|own| !own.is_empty());
        for word in words.filter(|own| *own != "and" && *own != "or") {
            let is_value = word
                .chars()
                .all(|own| own.is_ascii_alphanumeric() || own == '_');
            if !is_value {
                break;
            }
            found.push((parts[at], word));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_with_what() {
        let text = "`usd` for US, `gbp` for GB, `eur` for DE, FR and NL.";
        let expected = [
            ("usd", "US"),
            ("gbp", "GB"),
            ("eur", "DE"),
            ("eur", "FR"),
            ("eur", "NL"),
        ];
        assert_eq!(pairs(text), expected);
        assert_eq!(pairs("`a` for `x`, `b` for `y`"), [("a", "x"), ("b", "y")]);
        assert!(pairs("`a` or `b`").is_empty());
    }
}
