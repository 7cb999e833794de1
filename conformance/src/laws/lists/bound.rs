//! Bounds: recognises lower and upper bounds in names, texts and values of query parameters.

use std::cmp::Ordering;

use jiff::Timestamp;
use openapi_document::Node;
use openapi_document::view::Document;

use crate::names;
use crate::shape::Shape;
use crate::value;

use super::order::compared;
use crate::amount::Amount;
use crate::names::is_time_of_making;

/// Words of a lower bound; `UPPER` has those of an upper one.
pub(crate) const LOWER: [&str; 7] = ["from", "after", "since", "min", "gte", "gt", "start"];
pub(crate) const UPPER: [&str; 7] = ["to", "before", "until", "max", "lte", "lt", "end"];

/// Unit words in property names, which bound names omit.
pub(crate) const UNITS: [&str; 12] = [
    "kg", "g", "cm", "mm", "m", "km", "cents", "minor", "eur", "usd", "minutes", "days",
];

/// Whether a text says that the bound is inclusive.
pub(crate) fn says_within(text: &str) -> bool {
    let phrases = [
        "or a later",
        "or an earlier",
        "or a newer",
        "or an older",
        "at or ",
        "on or ",
        "or at ",
        "or equal",
        "inclusive",
        "or later",
        "or earlier",
        "or more",
        "or less",
        "or above",
        "or below",
        "or newer",
        "or older",
    ];
    phrases.iter().any(|item| text.contains(item))
}

/// Whether a text says that the bound is exclusive.
pub(crate) fn says_without(text: &str) -> bool {
    let words = names::words(text);
    let is_before = words
        .iter()
        .any(|word| word == "before" || word == "exclusive");
    is_before && !says_within(text)
}

/// Whether a name is a time bound without a property, such as `from`: `Some(true)` for a lower one, else `None`.
pub(crate) fn is_bare(name: &str, format: Option<&str>) -> Option<bool> {
    let mut words = names::words(name);
    words.retain(|word| !matches!(word.as_str(), "date" | "time" | "at"));
    let [word] = &words[..] else { return None };
    match (word.as_str(), format?) {
        ("from" | "since" | "after", "date" | "date-time") => Some(true),
        ("to" | "until" | "before", "date" | "date-time") => Some(false),
        _ => None,
    }
}

/// The time properties that a bare bound may refer to: the creation time if the text mentions it, else all.
pub(crate) fn spoken_of<'d>(
    document: &'d Document,
    record: &Shape<'d>,
    says: &str,
) -> Vec<&'d str> {
    let is_time = |name: &&'d str| {
        let format = record.property(document, name).format();
        matches!(format, Some("date" | "date-time"))
    };
    let listed = record.property_names().into_iter();
    let mut times: Vec<&'d str> = listed.filter(is_time).collect();
    times.sort_by_key(|item| !is_time_of_making(item));
    let is_named = |word: &String| matches!(word.as_str(), "made" | "created" | "creation");
    if names::words(says).iter().any(is_named)
        && times.first().is_some_and(|item| is_time_of_making(item))
    {
        times.truncate(1);
    }
    times
}

/// The distance in years of a time far away.
const YEARS: i64 = 4;

/// A value far below or above; a time is moved by a few years, as servers may limit times.
pub(crate) fn moved(node: &Node, up: bool) -> Option<Node> {
    if let Some(text) = node.as_str().filter(|text| is_time(text)) {
        let year: i64 = text[..4].parse().ok()?;
        let year = if up { year + YEARS } else { year - YEARS };
        return Some(value::string(&format!("{year:04}{}", &text[4..])));
    }
    let amount = Amount::read(node)?;
    let units = if up {
        amount.units.checked_mul(2)?.checked_add(1)?
    } else {
        amount.units / 2
    };
    Some(amount.with(units).node())
}

/// A time reduced to its date, if the parameter is a date.
pub(crate) fn cut(node: &Node, is_date: bool) -> Node {
    match node.as_str() {
        Some(text) if is_date && is_time(text) => value::string(&text[..10]),
        _ => node.clone(),
    }
}

/// Whether a text begins with a date.
pub(crate) fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.is_ascii() && bytes.len() >= 10 && bytes[4] == b'-' && bytes[7] == b'-'
}

pub(crate) fn ordered(node: &Node, requested: &Node) -> Option<Ordering> {
    if let (Some(one), Some(other)) = (node.as_str(), requested.as_str())
        && is_time(one)
        && is_time(other)
    {
        let moments = (one.parse::<Timestamp>(), other.parse::<Timestamp>());
        if let (Ok(one), Ok(other)) = moments {
            // Servers may compare whole seconds.
            let is_one = one.as_second().abs_diff(other.as_second()) < 1;
            return Some(if is_one {
                Ordering::Equal
            } else {
                one.cmp(&other)
            });
        }
        return Some(one[..10].cmp(&other[..10])).filter(|found| found.is_ne());
    }
    if let (Some(one), Some(other)) = (Amount::read(node), Amount::read(requested)) {
        return one.compared(other);
    }
    compared(node, requested)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_without_a_property() {
        for (name, format, expected) in [
            ("since", Some("date-time"), Some(true)),
            ("from_date", Some("date"), Some(true)),
            ("dateTo", Some("date"), Some(false)),
            ("before", None, None),
            ("created_from", Some("date"), None),
            ("from", Some("uuid"), None),
        ] {
            assert_eq!(is_bare(name, format), expected, "{name}");
        }
    }

    #[test]
    fn texts_about_bounds() {
        for (text, within, without) in [
            ("only arrivals on this day or earlier", true, false),
            ("created at this instant or later", true, false),
            ("created before this instant", false, true),
            ("the first day", false, false),
        ] {
            let found = (says_within(text), says_without(text));
            assert_eq!(found, (within, without), "{text}");
        }
    }
}
