//! Reads bounds: `Must be between 1 and 100`, `At most 64 characters`.

use super::clause::Clause;
use crate::bound::Bound;
use crate::decimal::Decimal;
use crate::duration::Duration;
use crate::pattern::Capture;
use crate::place::PlaceKind;
use crate::rule::{Kind as _, Measure, Range, Rule};

/// The moment of the request.
const NOW: &str = "PT0S";

/// Keywords that state bounds, by what they measure.
const KEYWORDS: [(Measure, &[&str]); 3] = [
    (
        Measure::Value,
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "enum",
            "pattern",
        ],
    ),
    (
        Measure::Length,
        &["minLength", "maxLength", "enum", "pattern", "format"],
    ),
    (Measure::Items, &["minItems", "maxItems"]),
];

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let place = clause.place;
    // In a nested schema, a name may refer to something else.
    let is_nested = place.kind == PlaceKind::Property && !place.outer.is_empty();
    let (form, found) = clause.find("range")?;
    if is_nested || clause.is_about_another(&found) {
        return None;
    }
    let sort = form.says.get("measure").map(String::as_str);
    let is_of_time = sort == Some("time");
    let measure = match sort {
        Some("length") => Measure::Length,
        Some("items") => Measure::Items,
        _ => Measure::Value,
    };
    let types: &[&str] = match measure {
        Measure::Value => &["integer", "number"],
        Measure::Length => &["string"],
        Measure::Items => &["array"],
    };
    let is_of_type = if is_of_time {
        place.is_time()
    } else {
        place.type_name().is_some_and(|name| types.contains(&name))
    };
    let mut keywords = KEYWORDS.iter().filter(|(of, _)| *of == measure);
    let is_stated = keywords.any(|(_, names)| place.has_keyword(names));
    if !is_of_type || is_stated {
        return None;
    }
    let mut rule = Range {
        subject: place.subject()?,
        measure,
        least: None,
        above: None,
        most: None,
        below: None,
        status: clause.refusal(),
        condition: None,
    };
    // A time is compared with the moment of the request.
    let values = if is_of_time {
        vec![NOW.to_owned()]
    } else {
        found.all(&[Capture::Value])
    };
    let names = form.says.get("bounds")?.split(' ');
    for (name, value) in names.zip(values) {
        let bound = if is_of_time {
            Duration::parse(&value).map(Bound::Duration)
        } else {
            Decimal::parse(&value).map(Bound::Number)
        };
        let bound = Some(bound?);
        match name {
            "least" => rule.least = bound,
            "above" => rule.above = bound,
            "below" => rule.below = bound,
            _ => rule.most = bound,
        }
    }
    rule.flaw().is_none().then_some(Rule::Range(rule))
}
