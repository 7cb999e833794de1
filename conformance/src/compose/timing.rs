//! Moves example times by whole years when a text requires the future or forbids it, so that the
//! server does not refuse them.
//!
//! The moved time stays the same for a year, so requests can be repeated.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use openapi_document::view::{Document, Located, Operation};
use openapi_document::{Mapping, Node, Pointer, Value};

use crate::change::Why;
use crate::names;
use crate::prose;
use crate::shape::Shape;

/// Moves times to the future or to the past as the document requires. Returns the places and
/// reasons.
pub(super) fn adjust<'d>(
    document: &'d Document,
    value: &mut Node,
    schema: Option<&Located<'d>>,
    operation: &Operation<'d>,
) -> Vec<(Pointer, Why)> {
    let mut moved = Vec::new();
    let mut years = Vec::new();
    let Value::Mapping(mapping) = &mut value.value else {
        return moved;
    };
    let description = operation.at.node.get("description").and_then(Node::as_str);
    let spoken = prose::spoken(description.unwrap_or_default());
    let shape = Shape::of(document, schema);
    for entry in &mut mapping.entries {
        let property = shape.property(document, &entry.key);
        let is_time = matches!(property.format(), Some("date" | "date-time"));
        let Value::String(text) = &mut entry.value.value else {
            continue;
        };
        if !is_time {
            continue;
        }
        let words = names::words(&entry.key);
        let is_named = |list: &Vec<String>| list.windows(words.len()).any(|part| part == words);
        let of_operation = spoken
            .iter()
            .filter(|item| is_named(item))
            .find_map(|item| side(item));
        let about = property.keyword("description").and_then(Node::as_str);
        let of_itself = || {
            prose::spoken(about.unwrap_or_default())
                .iter()
                .find_map(|item| side(item))
        };
        let (new, why) = match of_operation.or_else(of_itself) {
            Some(Side::Ahead) => (after(text, Timestamp::now()), Why::Future),
            Some(Side::Behind) => (before(text, Timestamp::now()), Why::Past),
            None => continue,
        };
        moved.push((Pointer::root().join(&entry.key), why));
        if *text != new {
            years.push(years_between(text, &new));
            *text = new;
        }
    }
    if let [Some(by), ..] = years[..] {
        moved.extend(follow(&shape, document, mapping, (by, &moved)));
    }
    moved
}

/// Moves the other times of a body by as many years, so that all keep their order: a departure after an arrival.
fn follow<'d>(
    shape: &Shape<'d>,
    document: &'d Document,
    mapping: &mut Mapping,
    (by, moved): (i16, &[(Pointer, Why)]),
) -> Vec<(Pointer, Why)> {
    let mut followed = Vec::new();
    for entry in &mut mapping.entries {
        let at = Pointer::root().join(&entry.key);
        let property = shape.property(document, &entry.key);
        let is_time = matches!(property.format(), Some("date" | "date-time"));
        let is_moved = moved.iter().any(|(pointer, _)| *pointer == at);
        let Value::String(text) = &mut entry.value.value else {
            continue;
        };
        let later = later_by(text, by).filter(|_| is_time && !is_moved);
        if let Some(later) = later {
            *text = later;
            followed.push((at, Why::Order));
        }
    }
    followed
}

/// The number of years between two times.
fn years_between(one: &str, other: &str) -> Option<i16> {
    let year = |text: &str| text.get(..4)?.parse::<i16>().ok();
    year(other)?.checked_sub(year(one)?)
}

/// The same time some years later. `None` if there is no such day.
fn later_by(text: &str, years: i16) -> Option<String> {
    moment(text)?;
    let (year, rest) = text.split_at_checked(4)?;
    let year = year.parse::<i16>().ok()?.checked_add(years)?;
    let later = format!("{year:04}{rest}");
    moment(&later).map(|_| later)
}

/// Whether a time must be in the future or in the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Ahead,
    Behind,
}

/// The side on which a sentence requires a time to be.
fn side(sentence: &[String]) -> Option<Side> {
    let place = |word: &str| sentence.iter().position(|candidate| candidate == word);
    // In "in the future, not more than a year ahead", the `not` denies something else.
    let is_denied = |at: usize| prose::has(&sentence[..at], &["not", "never", "cannot"]);
    let asks = prose::has(sentence, &["must", "has", "have"]);
    let is_refused = prose::has(sentence, &["refused", "rejected"]) && !asks;
    let is_accepted = prose::has(sentence, &["not", "never", "unless"]);
    match (place("future"), place("past")) {
        (Some(_), None) if is_refused && !is_accepted => Some(Side::Behind),
        (None, Some(_)) if is_refused && !is_accepted => Some(Side::Ahead),
        (Some(at), None) if is_denied(at) => Some(Side::Behind),
        (Some(_), None) => Some(Side::Ahead),
        (None, Some(at)) if is_denied(at) => Some(Side::Ahead),
        (None, Some(_)) if asks => Some(Side::Behind),
        _ => None,
    }
}

/// The same time in the latest year in which it is before `now`.
fn before(text: &str, now: Timestamp) -> String {
    let is_past = |text: &str| moment(text).is_none_or(|time| time < now);
    let this = now.to_zoned(TimeZone::UTC).year();
    let earlier = |rest: &str| {
        let mut years = [this, this - 1].into_iter();
        years.find_map(|year| Some(format!("{year:04}{rest}")).filter(|text| is_past(text)))
    };
    let rest = text.split_at_checked(4).map(|(_, rest)| rest);
    rest.filter(|_| !is_past(text))
        .and_then(earlier)
        .unwrap_or_else(|| text.to_owned())
}

/// The same time in the first year in which it is after `now`.
fn after(text: &str, now: Timestamp) -> String {
    let Some((year, rest)) = text.split_at_checked(4) else {
        return text.to_owned();
    };
    let Ok(year) = year.parse::<i16>() else {
        return text.to_owned();
    };
    let this = now.to_zoned(TimeZone::UTC).year();
    let mut later =
        (year.max(this)..=this.saturating_add(2)).map(|year| format!("{year:04}{rest}"));
    later
        .find(|candidate| moment(candidate).is_some_and(|item| item > now))
        .filter(|_| has_passed(text, now))
        .unwrap_or_else(|| text.to_owned())
}

/// Whether a time has passed. A day has passed at its end. A text that is no time counts as passed.
fn has_passed(text: &str, now: Timestamp) -> bool {
    let tomorrow = || text.parse::<Date>().ok()?.tomorrow().ok();
    let end = tomorrow().and_then(|day| day.to_zoned(TimeZone::UTC).ok());
    let end = end.map(|day| day.timestamp()).or_else(|| moment(text));
    end.is_none_or(|end| end <= now)
}

fn moment(text: &str) -> Option<Timestamp> {
    let day = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    text.parse().ok().or_else(|| Some(day()?.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_time_has_the_same_day() {
        for (text, years, expected) in [
            ("2025-03-16", 2, Some("2027-03-16")),
            ("2025-03-16T10:00:00Z", 2, Some("2027-03-16T10:00:00Z")),
            ("2024-02-29", 1, None),
            ("tomorrow", 1, None),
        ] {
            assert_eq!(later_by(text, years).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn past_times_move_to_the_next_year() {
        let now: Timestamp = "2026-11-24T12:00:00Z".parse().unwrap();
        for (text, expected) in [
            ("2025-06-30T23:59:59+02:00", "2027-06-30T23:59:59+02:00"),
            ("2025-12-01T00:00:00Z", "2026-12-01T00:00:00Z"),
            ("2024-02-29", "2028-02-29"),
            ("2025-11-24", "2027-11-24"),
            ("2026-11-24", "2026-11-24"),
            ("2031-01-01", "2031-01-01"),
            ("soon", "soon"),
        ] {
            assert_eq!(after(text, now), expected, "{text}");
        }
        for (text, expected) in [
            ("2030-06-30T23:59:59+02:00", "2026-06-30T23:59:59+02:00"),
            ("2030-12-01", "2025-12-01"),
            ("2024-02-29", "2024-02-29"),
            ("soon", "soon"),
        ] {
            assert_eq!(before(text, now), expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_require_the_future_or_the_past() {
        for (sentence, expected) in [
            ("`signedOn` must not lie in the future", Some(Side::Behind)),
            ("It has to be in the future", Some(Side::Ahead)),
            ("Must not be in the past", Some(Side::Ahead)),
            ("The day of birth must be in the past", Some(Side::Behind)),
            ("What was paid in the past", None),
            ("A `due_date` in the past is refused", Some(Side::Ahead)),
            ("Days in the future are rejected", Some(Side::Behind)),
            (
                "It has to be in the future, and not more than a year ahead",
                Some(Side::Ahead),
            ),
        ] {
            assert_eq!(side(&names::words(sentence)), expected, "{sentence}");
        }
    }
}
