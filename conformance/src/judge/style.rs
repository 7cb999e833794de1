//! Checks how single values are written: decimals, timestamps, dates, UUIDs, URLs, constants.

use openapi_document::{Node, Value};
use openapi_facts::Evidence;

use crate::checks::{self, Check};
use crate::fresh::is_uuid;
use crate::shape::Shape;

/// A value that is written in a wrong form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) check: &'static Check,
    /// Whether the schema states the form, or only the example shows it.
    pub(super) evidence: Evidence,
    pub(super) expected: String,
}

/// The first violation of the form that the schema and the example require.
pub(super) fn fault(shape: &Shape<'_>, actual: &Node, example: Option<&Node>) -> Option<Fault> {
    if actual.is_null() {
        return None;
    }
    let wants_text = example.is_none_or(|example| example.as_str().is_some());
    let fault = match shape.format().filter(|_| wants_text) {
        Some("decimal") if declared_string(shape) => written(
            actual,
            is_decimal,
            (&checks::DECIMAL_STYLE, Evidence::Stated),
            "a string of decimal digits",
        ),
        Some("date-time") if wants_milliseconds(shape, example) => {
            let expected = "a timestamp such as 2026-01-31T23:59:59.999Z";
            let evidence = if declares_milliseconds(shape) {
                Evidence::Stated
            } else {
                Evidence::Shown
            };
            written(
                actual,
                is_utc_with_milliseconds,
                (&checks::TIMESTAMP_STYLE, evidence),
                expected,
            )
        }
        Some("date") => written(
            actual,
            is_date,
            (&checks::DATE_STYLE, Evidence::Stated),
            "a date such as 2026-01-31",
        ),
        Some("uuid") => {
            let expected = "a lower-case UUID such as 123e4567-e89b-42d3-a456-426614174000";
            let good = |text: &str| is_uuid(text) && !text.bytes().any(|b| b.is_ascii_uppercase());
            // An upper-case example does not require lower case.
            let shouted = example
                .and_then(Node::as_str)
                .is_some_and(|text| !good(text));
            // RFC 9562 allows upper-case letters.
            let is_one = actual.as_str().is_some_and(is_uuid);
            let evidence = if is_one {
                Evidence::Shown
            } else {
                Evidence::Stated
            };
            written(
                actual,
                |text| good(text) || shouted && is_uuid(text),
                (&checks::UUID_STYLE, evidence),
                expected,
            )
        }
        Some("uri" | "url") => {
            let relative = example
                .and_then(Node::as_str)
                .is_some_and(|text| !is_absolute_url(text));
            let good = |text: &str| is_absolute_url(text) || relative;
            let style = (&checks::URL_STYLE, Evidence::Stated);
            written(actual, good, style, "an absolute URL")
        }
        _ => constant(shape, actual),
    };
    fault.or_else(|| json_type(actual, example?))
}

fn written(
    actual: &Node,
    good: impl Fn(&str) -> bool,
    (check, evidence): (&'static Check, Evidence),
    expected: &str,
) -> Option<Fault> {
    let is_good = actual.as_str().is_some_and(good);
    (!is_good).then(|| Fault {
        check,
        evidence,
        expected: expected.to_owned(),
    })
}

/// Whether the schema declares a string; other checks handle decimals as numbers.
fn declared_string(shape: &Shape<'_>) -> bool {
    shape.type_name() == Some("string")
}

fn declares_milliseconds(shape: &Shape<'_>) -> bool {
    shape.keyword("x-wire-style").and_then(Node::as_str) == Some("milliseconds")
}

fn wants_milliseconds(shape: &Shape<'_>, example: Option<&Node>) -> bool {
    declares_milliseconds(shape)
        || example
            .and_then(Node::as_str)
            .is_some_and(is_utc_with_milliseconds)
}

/// A violation when a value equals a known value except for its letter case.
fn constant(shape: &Shape<'_>, actual: &Node) -> Option<Fault> {
    let text = actual.as_str()?;
    let known = shape.known_values();
    if known.is_empty() || known.contains(&text) {
        return None;
    }
    let same = known.iter().find(|value| value.eq_ignore_ascii_case(text));
    let has = |text: &str, kind: fn(&char) -> bool| text.chars().any(|c| kind(&c));
    let no_lower = known
        .iter()
        .all(|value| !has(value, char::is_ascii_lowercase));
    let no_upper = known
        .iter()
        .all(|value| !has(value, char::is_ascii_uppercase));
    let stranger = no_lower && has(text, char::is_ascii_lowercase)
        || no_upper && has(text, char::is_ascii_uppercase);
    let expected = match same {
        Some(same) => (*same).to_owned(),
        None if stranger => format!("a constant written like {}", known[0]),
        None => return None,
    };
    Some(Fault {
        check: &checks::LETTER_CASE,
        evidence: if same.is_some() {
            Evidence::Stated
        } else {
            Evidence::Shown
        },
        expected,
    })
}

fn json_type(actual: &Node, example: &Node) -> Option<Fault> {
    let differs = !example.is_null() && actual.type_name() != example.type_name();
    differs.then(|| Fault {
        check: &checks::JSON_TYPE,
        evidence: Evidence::Shown,
        expected: match &example.value {
            Value::Mapping(_) | Value::Sequence(_) => format!("an {}", example.type_name()),
            _ => format!("a {} such as {}", example.type_name(), example.to_json()),
        },
    })
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    plain(whole) && !leading_zero && fraction.is_none_or(plain)
}

fn matches(text: &str, pattern: &str) -> bool {
    let fits = |(byte, like): (u8, u8)| match like {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
}

fn is_date(text: &str) -> bool {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<u8>().ok();
    matches(text, "0000-00-00")
        && number(5..7).is_some_and(|month| (1..=12).contains(&month))
        && number(8..10).is_some_and(|day| (1..=31).contains(&day))
}

pub(super) fn is_utc_with_milliseconds(text: &str) -> bool {
    matches(text, "0000-00-00T00:00:00.000Z") && text.get(..10).is_some_and(is_date)
}

fn is_absolute_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let printable = |c: char| !c.is_whitespace() && !c.is_control();
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(plain)
        && !rest.is_empty()
        && rest.chars().all(printable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(schema: &str, actual: &str, example: Option<&str>) -> Option<&'static str> {
        let document = format!(
            r#"{{"openapi":"3.0.4","info":{{"title":"t","version":"1"}},"paths":{{}},
                "components":{{"schemas":{{"S":{schema}}}}}}}"#
        );
        let document = openapi_document::loader::load_text("t.json", &document).unwrap();
        let (_, schema) = document.components("schemas").remove(0);
        let shape = Shape::of(&document, Some(&schema));
        let node = |text: &str| openapi_document::json::read_text(text).unwrap();
        let example = example.map(node);
        fault(&shape, &node(actual), example.as_ref()).map(|fault| fault.check.id)
    }

    #[test]
    fn each_style_has_its_check() {
        let decimal = r#"{"type":"string","format":"decimal"}"#;
        let number = r#"{"type":"number","format":"decimal"}"#;
        let milliseconds =
            r#"{"type":"string","format":"date-time","x-wire-style":"milliseconds"}"#;
        let date_time = r#"{"type":"string","format":"date-time"}"#;
        let date = r#"{"type":"string","format":"date"}"#;
        let uuid = r#"{"type":"string","format":"uuid"}"#;
        let uri = r#"{"type":"string","format":"uri"}"#;
        let known = r#"{"type":"string","x-extensible-enum":["PENDING","ACCEPTED"]}"#;
        let free = r#"{"type":"string"}"#;
        for (schema, actual, example, expected) in [
            (decimal, r#""10.00""#, None, None),
            (decimal, "10.00", Some(r#""10.00""#), Some("decimal-style")),
            (decimal, "10.00", None, Some("decimal-style")),
            (decimal, r#""1e3""#, None, Some("decimal-style")),
            (decimal, r#""010.00""#, None, Some("decimal-style")),
            (number, "10.00", Some("10.00"), None),
            (number, r#""10.00""#, Some("10.00"), Some("json-type")),
            (milliseconds, r#""2026-11-04T10:00:00.120Z""#, None, None),
            (
                milliseconds,
                r#""2026-11-04T10:00:00.12Z""#,
                None,
                Some("timestamp-style"),
            ),
            (
                milliseconds,
                r#""2026-11-04T10:00:00Z""#,
                None,
                Some("timestamp-style"),
            ),
            (
                milliseconds,
                r#""2026-11-04T10:00:00.120+00:00""#,
                None,
                Some("timestamp-style"),
            ),
            (
                milliseconds,
                r#""2026-13-04T10:00:00.120Z""#,
                None,
                Some("timestamp-style"),
            ),
            (date_time, r#""2026-11-04T10:00:00Z""#, None, None),
            (
                date_time,
                r#""2026-11-04T10:00:00Z""#,
                Some(r#""2026-11-04T10:00:00.120Z""#),
                Some("timestamp-style"),
            ),
            (date, r#""2026-11-04""#, None, None),
            (
                date,
                r#""2026-11-04T00:00:00.000Z""#,
                None,
                Some("date-style"),
            ),
            (
                uuid,
                r#""6a112e4a-83d0-4dd8-8111-be242b8dc188""#,
                None,
                None,
            ),
            (
                uuid,
                r#""6A112E4A-83D0-4DD8-8111-BE242B8DC188""#,
                None,
                Some("uuid-style"),
            ),
            (
                uuid,
                r#""6a112e4a83d04dd88111be242b8dc188""#,
                None,
                Some("uuid-style"),
            ),
            (uri, r#""https://a.example/b""#, None, None),
            (uri, r#""/b""#, None, Some("url-style")),
            (uri, r#""/b""#, Some(r#""/c""#), None),
            (known, r#""ACCEPTED""#, None, None),
            (known, r#""SETTLED""#, None, None),
            (known, r#""accepted""#, None, Some("letter-case")),
            (known, r#""settled""#, None, Some("letter-case")),
            (free, "7", Some(r#""7""#), Some("json-type")),
            (free, r#""x""#, Some(r#""7""#), None),
            (free, "null", Some(r#""7""#), None),
            (free, r#""x""#, Some("null"), None),
        ] {
            assert_eq!(
                found(schema, actual, example),
                expected,
                "{schema} {actual}"
            );
        }
    }
}
