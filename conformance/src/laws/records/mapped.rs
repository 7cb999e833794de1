//! Mapped: what a text says that a property is for each value of another one: "`usd` for US, `gbp` for GB". Held against
//! every answer, where no documented one is otherwise. Pure.

use std::collections::BTreeSet;

use openapi_document::view::Document;

use crate::exchange::Exchange;
use crate::laws::trial::contradiction::Contradiction;
use crate::model::Call;
use crate::shape::Shape;

use super::described::{Place, Reading};

/// The first property of an answer that is not what its text says of the value beside it.
pub(crate) fn contradiction<'d>(
    (document, names): (&'d Document, &BTreeSet<&'d str>),
    call: &Call<'d>,
    exchange: &Exchange,
) -> Option<Contradiction> {
    let may_say = |name: &str| names.contains(name);
    let due = |own: &Place<'_, 'd>| {
        let pairs = pairs(own.text);
        let by = decides(document, own.shape, (&pairs, own.name))?;
        let of = own.object.get(by)?.as_str()?;
        let mut due = pairs.iter().filter(|own| own.1 == of);
        let (due, _) = due.next().filter(|_| due.next().is_none())?;
        (*due != own.told).then(|| format!("{due:?}, as its text says for {of}"))
    };
    let reading = Reading {
        document,
        may_say: &may_say,
        due: &due,
    };
    reading.contradiction(call, exchange)
}

/// The only property beside one that has all the values that decide.
fn decides<'d>(
    document: &'d Document,
    shape: &Shape<'d>,
    (pairs, name): (&[(&str, &str)], &str),
) -> Option<&'d str> {
    // One value alone is no table of them.
    let [_, _, ..] = pairs else { return None };
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
