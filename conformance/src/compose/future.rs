//! Times of an example that have passed since it was written: where a text says that they have to be in the future, they
//! are moved on by whole years, so that what is sent is the same for a year.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use spec::document::{Document, Located, Operation};
use spec::{Node, Value};

use crate::model::{names, prose};
use crate::shape::Shape;

/// Moves on what has to be in the future.
pub(super) fn move_on<'d>(
    document: &'d Document,
    value: &mut Node,
    schema: Option<&Located<'d>>,
    operation: &Operation<'d>,
) {
    let Value::Mapping(mapping) = &mut value.value else {
        return;
    };
    let said = operation.at.node.get("description").and_then(Node::as_str);
    let spoken = prose::spoken(said.unwrap_or_default());
    let shape = Shape::of(document, schema);
    for entry in &mut mapping.entries {
        let own = shape.property(document, &entry.key);
        let is_time = matches!(own.format(), Some("date" | "date-time"));
        let Value::String(text) = &mut entry.value.value else {
            continue;
        };
        if !is_time {
            continue;
        }
        let words = names::words(&entry.key);
        let is_named = |own: &Vec<String>| own.windows(words.len()).any(|part| part == words);
        let of_operation = spoken.iter().any(|own| is_named(own) && is_ahead(own));
        let about = own.keyword("description").and_then(Node::as_str);
        let of_itself = || {
            prose::spoken(about.unwrap_or_default())
                .iter()
                .any(|own| is_ahead(own))
        };
        if of_operation || of_itself() {
            *text = after(text, Timestamp::now());
        }
    }
}

/// Whether a sentence speaks of what is still to come.
fn is_ahead(sentence: &[String]) -> bool {
    prose::has(sentence, &["future"])
        || (prose::has(sentence, &["past"]) && prose::has(sentence, &["not"]))
}

/// The same time of the first year in which it comes after a moment.
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
        .find(|own| moment(own).is_some_and(|own| own > now))
        .filter(|_| moment(text).is_none_or(|own| own <= now))
        .unwrap_or_else(|| text.to_owned())
}

fn moment(text: &str) -> Option<Timestamp> {
    let day = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    text.parse().ok().or_else(|| Some(day()?.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_have_passed_come_again() {
        let now: Timestamp = "2026-11-24T12:00:00Z".parse().unwrap();
        for (text, expected) in [
            ("2025-06-30T23:59:59+02:00", "2027-06-30T23:59:59+02:00"),
            ("2025-12-01T00:00:00Z", "2026-12-01T00:00:00Z"),
            ("2024-02-29", "2028-02-29"),
            ("2025-11-24", "2027-11-24"),
            ("2031-01-01", "2031-01-01"),
            ("soon", "soon"),
        ] {
            assert_eq!(after(text, now), expected, "{text}");
        }
    }
}
