//! Lengths of time, as names and texts tell of them.

use std::collections::BTreeSet;

use crate::names;
use crate::prose;

/// Numbers that are written as words.
const NUMBERS: [(&str, i64); 21] = [
    ("a", 1),
    ("an", 1),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("twelve", 12),
    ("fourteen", 14),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("sixty", 60),
    ("ninety", 90),
    ("hundred", 100),
];

/// The seconds of a unit.
fn seconds(unit: &str) -> Option<i64> {
    match names::singular(unit).as_str() {
        "second" | "sec" => Some(1),
        "minute" | "min" => Some(60),
        "hour" => Some(3_600),
        "day" => Some(86_400),
        "week" => Some(604_800),
        _ => None,
    }
}

/// The seconds of the only unit that a name tells, or a description.
pub(crate) fn unit(name: &str, text: Option<&str>) -> Option<i64> {
    let all = [name, text.unwrap_or_default()].map(|text| {
        let words = names::words(text);
        let units: BTreeSet<i64> = words.iter().filter_map(|own| seconds(own)).collect();
        units.into_iter().collect::<Vec<_>>()
    });
    all.into_iter().find_map(|own| match own[..] {
        [only] => Some(only),
        _ => None,
    })
}

/// The lengths that a text tells of, in seconds: `14 days`, `an hour`. Not of business days, nor of bounds.
pub(crate) fn said(text: &str) -> Vec<i64> {
    const BOUNDS: [&str; 10] = [
        "least", "most", "up", "more", "less", "fewer", "within", "between", "maximum", "minimum",
    ];
    let sentences = prose::spoken(text).into_iter();
    let plain = sentences.filter(|own| !prose::has(own, &BOUNDS));
    // `two calendar days` are two days.
    let plain = plain.map(|mut own| {
        own.retain(|word| !matches!(word.as_str(), "calendar" | "full" | "whole"));
        own
    });
    let lengths = plain.flat_map(|own| {
        let pairs = own.windows(2);
        let lengths = pairs.filter_map(|pair| number(&pair[0])?.checked_mul(seconds(&pair[1])?));
        lengths.collect::<Vec<_>>()
    });
    lengths.filter(|own| *own > 0).collect()
}

fn number(text: &str) -> Option<i64> {
    let word = NUMBERS.iter().find(|(word, _)| *word == text);
    word.map(|(_, own)| *own).or_else(|| text.parse().ok())
}

/// A length as people tell of it.
pub(crate) fn shown(length: i64) -> String {
    let units = [
        (86_400, "day"),
        (3_600, "hour"),
        (60, "minute"),
        (1, "second"),
    ];
    let own = units
        .into_iter()
        .find(|(unit, _)| length != 0 && length % unit == 0);
    let (unit, name) = own.unwrap_or((1, "second"));
    let number = length / unit;
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {name}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_tell_of_lengths() {
        for (text, expected) in [
            ("It is due after fourteen days.", &[14 * 86_400][..]),
            ("Expires 30 minutes after it was made.", &[1_800]),
            ("An hour later; at most 3 days", &[3_600]),
            ("within 5 business days", &[]),
            ("It arrives two calendar days later", &[2 * 86_400]),
            ("five business days", &[]),
            ("day", &[]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn units_are_told_by_names_and_texts() {
        for (name, text, expected) in [
            ("trialDays", None, Some(86_400)),
            ("expiresIn", Some("In minutes."), Some(60)),
            ("expiresIn", Some("Minutes or hours."), None),
            ("note", None, None),
        ] {
            assert_eq!(unit(name, text), expected, "{name}");
        }
    }

    #[test]
    fn lengths_are_shown() {
        let all = [86_400, 7_200, 90, 0, -86_400].map(shown);
        assert_eq!(
            all,
            ["1 day", "2 hours", "90 seconds", "0 seconds", "-1 days"]
        );
    }
}
