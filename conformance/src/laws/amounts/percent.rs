//! Percent: what a description says to be so many percent of another property, with how it is rounded and between which bounds: "1 % of
//! amount, rounded half up to the cent. Never less than 0.25." Pure.

use std::cmp::Ordering;

use openapi_document::Node;

use super::expression::{Rounding, rounding};
use crate::amount::Amount;
use crate::names;
use crate::prose;

/// Words that make it hold sometimes only, or of some only.
const SOMETIMES: [&str; 13] = [
    "if",
    "when",
    "once",
    "unless",
    "until",
    "else",
    "otherwise",
    "while",
    "after",
    "before",
    "or",
    "for",
    "not",
];

/// Words of who pays nothing of it.
const EXEMPT: [&str; 8] = [
    "exempt", "zero", "none", "waived", "free", "where", "only", "except",
];

/// Words of a rounding that is to something else than the last place, or of a bound beside it.
const OTHERWISE: [&str; 14] = [
    "at", "least", "most", "minimum", "maximum", "cap", "capped", "never", "next", "full",
    "nearest", "whole", "multiple", "and",
];

/// What a description says of so many percent, worked out for an object.
pub(super) fn due(text: &str, object: &Node, told: Amount) -> Option<Amount> {
    let mut sentences = prose::sentences(text).into_iter();
    let own = of_sentence(sentences.next()?, object, told)?;
    sentences.try_fold(own, |due, sentence| {
        let words = names::words(&sentence.to_lowercase());
        match bound(sentence, told) {
            Some((bound, is_least)) => {
                let is_beyond = if is_least {
                    Ordering::Less
                } else {
                    Ordering::Greater
                };
                Some(if due.compared(bound)? == is_beyond {
                    bound
                } else {
                    due
                })
            }
            // What else is said may well be of some cases only, but for the parts that make it up.
            None if sentence.contains(|own: char| own.is_ascii_digit()) => None,
            None => {
                (!prose::has(&words, &SOMETIMES) && !prose::has(&words, &EXEMPT)).then_some(due)
            }
        }
    })
}

/// What the first sentence comes to: a number, a sign for percent, and the name of a property.
fn of_sentence(sentence: &str, object: &Node, told: Amount) -> Option<Amount> {
    let lower = sentence.to_lowercase();
    let words = names::words(&lower);
    (!prose::has(&words, &SOMETIMES)).then_some(())?;
    let end = sentence.find(|own: char| !(own.is_ascii_digit() || own == '.'))?;
    let (number, rest) = sentence.split_at(end);
    let (whole, places) = number.split_once('.').unwrap_or((number, ""));
    let rate: i128 = format!("{whole}{places}").parse().ok()?;
    let scale = 10_i128.checked_pow(u32::try_from(places.len()).ok()?)?;
    let rest = rest.trim_start();
    let rest = ["%", "percent", "per cent"]
        .iter()
        .find_map(|own| rest.strip_prefix(own))?;
    let rest = rest.trim_start().strip_prefix("of ")?;
    let (rest, more) = match on_top(rest, told) {
        Some((rest, more)) => (rest, Some(more)),
        None => (rest, None),
    };
    let (name, how) = rest.split_once(',').unwrap_or((rest, ""));
    let how = &to_the_last_place(how);
    let name = name.trim().trim_end_matches('.').trim_matches('`');
    let name = ["the ", "its "]
        .iter()
        .find_map(|own| name.strip_prefix(own))
        .unwrap_or(name);
    let of = Amount::read_signed(object.get(name.trim_matches('`'))?)?;
    let is_alike = of.is_of_unit(told) && of.places() == told.places();
    let said = names::words(&how.to_lowercase());
    let is_plain =
        !prose::has(&said, &OTHERWISE) && !how.contains(|own: char| own.is_ascii_digit());
    let is_rounded = how.is_empty() || (is_plain && prose::has(&said, &["rounded"]));
    (is_alike && is_rounded && of.units >= 0).then_some(())?;
    let over = of.units.checked_mul(rate)?;
    let under = scale.checked_mul(100)?;
    let (whole, rest) = (over / under, over % under);
    let more = more.map_or(0, |own| own.units);
    if rest == 0 {
        return Some(told.with(whole.checked_add(more)?));
    }
    let twice = rest.checked_mul(2)?.cmp(&under);
    let is_up = match rounding(&how.to_lowercase())? {
        Rounding::Down => false,
        Rounding::Up => true,
        Rounding::HalfUp => twice.is_ge(),
        Rounding::HalfDown => twice.is_gt(),
        Rounding::HalfEven => twice.is_gt() || (twice.is_eq() && whole % 2 != 0),
    };
    Some(told.with((whole + i128::from(is_up)).checked_add(more)?))
}

/// What comes on top, and the rest of the sentence: "… rounded half up, plus 20 minor units", "… plus 0.20".
fn on_top(rest: &str, told: Amount) -> Option<(&str, Amount)> {
    const UNITS: [&str; 6] = [
        "cents",
        "cent",
        "minor units",
        "pence",
        "minor unit",
        "units",
    ];
    let (rest, more) = rest.split_once(" plus ")?;
    let more = more.trim().trim_end_matches('.').trim_matches('`');
    let end = more.find(|own: char| !(own.is_ascii_digit() || own == '.'));
    let (number, unit) = more.split_at(end.unwrap_or(more.len()));
    let unit = unit.trim_matches(['`', ' ']);
    let (whole, places) = number.split_once('.').unwrap_or((number, ""));
    let digits: i128 = format!("{whole}{places}").parse().ok()?;
    let written = u32::try_from(places.len()).ok()?;
    let units = match told.places() {
        _ if UNITS.contains(&unit) && written == 0 => digits,
        all if unit.is_empty() => {
            let missing = all.checked_sub(written)?;
            digits.checked_mul(10_i128.checked_pow(missing)?)?
        }
        _ => return None,
    };
    Some((rest.trim_end_matches(','), told.with(units)))
}

/// How something is rounded, without the last place that it is rounded to.
fn to_the_last_place(how: &str) -> String {
    const PLACES: [&str; 8] = [
        " to a whole minor unit",
        " to the nearest minor unit",
        " to whole minor units",
        " to a whole cent",
        " to the nearest cent",
        " to whole cents",
        " to the minor unit",
        " to a full cent",
    ];
    PLACES
        .iter()
        .fold(how.to_owned(), |text, own| text.replace(own, ""))
}

/// The least, or the most, that a sentence tells: "Never less than 0.25."
fn bound(sentence: &str, told: Amount) -> Option<(Amount, bool)> {
    const LEAST: [&str; 5] = [
        "never less than ",
        "at least ",
        "minimum ",
        "minimum of ",
        "not less than ",
    ];
    const MOST: [&str; 6] = [
        "never more than ",
        "at most ",
        "maximum ",
        "maximum of ",
        "not more than ",
        "capped at ",
    ];
    let lower = sentence.trim().to_lowercase();
    let after = |all: &[&str]| {
        all.iter()
            .find_map(|own| Some(lower.strip_prefix(own)?.to_owned()))
    };
    let (rest, is_least) = match after(&LEAST) {
        Some(rest) => (rest, true),
        None => (after(&MOST)?, false),
    };
    let number = rest.trim_end_matches('.').trim_matches('`').trim();
    let (whole, places) = number.split_once('.').unwrap_or((number, ""));
    let is_number = |own: &str| own.bytes().all(|own| own.is_ascii_digit());
    (!whole.is_empty() && is_number(whole) && is_number(places)).then_some(())?;
    let units: i128 = format!("{whole}{places}").parse().ok()?;
    let more = told
        .places()
        .checked_sub(u32::try_from(places.len()).ok()?)?;
    Some((
        told.with(units.checked_mul(10_i128.checked_pow(more)?)?),
        is_least,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_descriptions_say_of_percents() {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        for (text, amount, expected) in [
            (
                "1 % of amount, rounded half up to the cent. Never less than 0.25.",
                "50.50",
                Some("0.51"),
            ),
            (
                "1 % of amount, rounded half up to the cent. Never less than 0.25.",
                "2.00",
                Some("0.25"),
            ),
            (
                "2.5% of `amount`, rounded down. At most 1.00.",
                "10.10",
                Some("0.25"),
            ),
            (
                "2.5% of `amount`, rounded down. At most 1.00.",
                "90.10",
                Some("1.00"),
            ),
            ("10 percent of the amount.", "1.00", Some("0.10")),
            ("10 percent of the amount.", "1.01", None),
            ("1 % of amount, if it is paid by card.", "10.00", None),
            ("1 % of amount plus 0.20.", "10.00", Some("0.30")),
            (
                "1.5 % of its `amount`, rounded half up to a whole cent, plus 20 cents.",
                "95.00",
                Some("1.63"),
            ),
            ("1 % of amount plus tax.", "10.00", None),
            ("1 % of amount plus 0.205.", "10.00", None),
            ("1 % of amount. 0.20 on weekends.", "10.00", None),
            ("1 % of turnover.", "10.00", None),
            (
                "1 % of amount, rounded half up, at least 0.25.",
                "2.00",
                None,
            ),
            (
                "1 % of amount, rounded up to the next full euro.",
                "2.00",
                None,
            ),
            (
                "1 % of amount, rounded up. Charities are exempt.",
                "2.00",
                None,
            ),
        ] {
            let object = read(&format!(r#"{{"amount":"{amount}","fee":"0.00"}}"#));
            let told = Amount::read(object.get("fee").unwrap()).unwrap();
            let found = due(text, &object, told).map(Amount::node);
            let found = found.as_ref().and_then(Node::as_str);
            assert_eq!(found, expected, "{text} {amount}");
        }
    }
}
