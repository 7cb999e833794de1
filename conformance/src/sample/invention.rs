//! Invents one value for a schema, from its type, format, bounds and pattern.

use openapi_document::view::Located;
use openapi_document::{Node, Value};

use super::pattern;
use crate::names;
use crate::shape::Shape;
use crate::value;

/// The default for counts and amounts. It is the same everywhere, so that a withdrawal never
/// exceeds a deposit.
const PLAIN: i128 = 100;

/// Invented e-mail addresses.
pub(crate) const ADDRESSES: [&str; 2] = ["someone@example.com", "another@example.com"];

/// A value that is neither an array nor an object with properties.
pub(super) fn invent(shape: &Shape<'_>, name: &str, is_other: bool) -> Option<Value> {
    match name {
        "string" => text(shape, is_other).map(Value::String),
        "integer" | "number" => {
            number(shape, is_other).map(|number| Value::Number(number.to_string()))
        }
        "null" => Some(Value::Null),
        _ => None,
    }
}

fn text(shape: &Shape<'_>, is_other: bool) -> Option<String> {
    let known = shape.known_values();
    let known = if is_other {
        known.last()
    } else {
        known.first()
    };
    if let Some(known) = known {
        return Some((*known).to_owned());
    }
    let length = |key| shape.keyword(key).and_then(Node::as_u64);
    let (least, most) = (length("minLength"), length("maxLength"));
    if let Some(text) = shape
        .format()
        .and_then(|format| formatted(format, is_other))
    {
        return Some(text.to_owned());
    }
    if let Some(pattern) = shape.keyword("pattern").and_then(Node::as_str) {
        let least = usize::try_from(least.unwrap_or_default()).ok()?;
        return pattern::text(pattern, least, is_other);
    }
    let mut text = if is_other { "Other" } else { "Text" }.to_owned();
    while (text.chars().count() as u64) < least.unwrap_or_default().min(10_000) {
        text.push('t');
    }
    let most = usize::try_from(most.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    Some(text.chars().take(most).collect())
}

/// Adapts an invented value to its name: a time that ends a period is a day after its start (`endsAt`, `to`), and an `email` is an
/// address.
pub(crate) fn after(name: &str, invented: Node) -> Node {
    const ENDS: [&str; 10] = [
        "end",
        "ends",
        "until",
        "to",
        "before",
        "expires",
        "expiry",
        "expiration",
        "due",
        "finish",
    ];
    const DAYS: [(&str, &str); 2] = [("2030-01-15", "2030-01-16"), ("2030-02-19", "2030-02-20")];
    let is_address = names::words(name)
        .last()
        .is_some_and(|item| item == "email");
    match invented.as_str().filter(|_| is_address) {
        Some("Text") => return value::string(ADDRESSES[0]),
        Some("Other") => return value::string(ADDRESSES[1]),
        _ => {}
    }
    let is_end = names::words(name)
        .iter()
        .any(|word| ENDS.contains(&word.as_str()));
    let text = invented.as_str().filter(|_| is_end).unwrap_or_default();
    let later = DAYS.iter().find_map(|(day, next)| {
        let time = text.strip_prefix(day)?;
        Some(value::string(&format!("{next}{time}")))
    });
    later.unwrap_or(invented)
}

fn formatted(format: &str, is_other: bool) -> Option<&'static str> {
    Some(match format {
        "uuid" if is_other => "0b7de9a4-51c3-4f68-8a2e-c9d03b6f1e75",
        "date" if is_other => "2030-02-19",
        "date-time" if is_other => "2030-02-19T13:00:00Z",
        "email" | "idn-email" if is_other => ADDRESSES[1],
        "uri" | "url" | "iri" if is_other => "https://example.com/other",
        "decimal" if is_other => "11.00",
        "uuid" => "6f1c3b52-8d0e-4c7a-9b35-2a9d4e8f7c10",
        "date" => "2030-01-15",
        "date-time" => "2030-01-15T12:00:00Z",
        "time" => "12:00:00Z",
        "email" | "idn-email" => ADDRESSES[0],
        "uri" | "url" | "iri" => "https://example.com/",
        "hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "byte" => "dGV4dA==",
        "decimal" => "10.00",
        "duration" => "P1D",
        _ => return None,
    })
}

/// The whole number within the bounds that is nearest to the default.
fn number(shape: &Shape<'_>, is_other: bool) -> Option<i128> {
    let bound = |key: &str| shape.keyword(key).and_then(Node::as_number);
    let whole = |text: &str| -> Option<(i128, bool)> {
        if let Ok(whole) = text.parse() {
            return Some((whole, true));
        }
        let number: f64 = text
            .parse()
            .ok()
            .filter(|number: &f64| number.abs() < 1e15)?;
        #[expect(clippy::cast_possible_truncation, reason = "it is small enough")]
        Some((number.floor() as i128, false))
    };
    let lowest = bound("minimum").and_then(whole).map(|(whole, is_exact)| {
        let beyond = !is_exact || shape.flag("exclusiveMinimum");
        whole + i128::from(beyond)
    });
    let above = bound("exclusiveMinimum").and_then(whole);
    let lowest = lowest.max(above.map(|(above, _)| above + 1));
    let highest = bound("maximum").and_then(whole).map(|(whole, is_exact)| {
        let beyond = is_exact && shape.flag("exclusiveMaximum");
        whole - i128::from(beyond)
    });
    let below = bound("exclusiveMaximum").and_then(whole);
    let below = below.map(|(below, is_exact)| below - i128::from(is_exact));
    let highest = [highest, below].into_iter().flatten().min();
    let (lowest, highest) = (lowest.unwrap_or(i128::MIN), highest.unwrap_or(i128::MAX));
    if lowest > highest {
        return None;
    }
    let near = (PLAIN + i128::from(is_other)).clamp(lowest, highest);
    let step = bound("multipleOf").and_then(|text| text.parse().ok());
    let step: i128 = step.filter(|step| *step > 0).unwrap_or(1);
    let down = near - near.rem_euclid(step);
    [down, down + step]
        .into_iter()
        .find(|item| (lowest..=highest).contains(item))
}

/// Sets the discriminator of a value to its alternative.
pub(super) fn discriminate(schema: &Located<'_>, alternative: &Located<'_>, invented: &mut Node) {
    let discriminator = schema.node.get("discriminator");
    let property =
        discriminator.and_then(|discriminator| discriminator.get("propertyName")?.as_str());
    let (Some(property), Some(target)) = (property, alternative.node.reference()) else {
        return;
    };
    let mapping = discriminator.and_then(|discriminator| discriminator.get("mapping"));
    let mut mapped = mapping.into_iter().flat_map(Node::entries);
    let mapped = mapped.find(|item| item.value.as_str() == Some(target));
    let name = target.rsplit('/').next().unwrap_or_default();
    let name = mapped.map_or(name, |entry| entry.key.as_str());
    if let Value::Mapping(mapping) = &mut invented.value {
        mapping.entries.retain(|entry| entry.key != property);
        mapping
            .entries
            .insert(0, value::entry(property, value::string(name)));
    }
}
