//! Keywords of texts, numbers, and of values as wholes.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::super::canonical;

/// Whether a value is of a type.
pub(super) fn is_of_type(value: &Value, kind: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| is_of_type(value, kind)),
        Value::String(kind) => match (kind.as_str(), value) {
            ("null", Value::Null)
            | ("boolean", Value::Bool(_))
            | ("number", Value::Number(_))
            | ("string", Value::String(_))
            | ("array", Value::Array(_))
            | ("object", Value::Object(_)) => true,
            ("integer", Value::Number(number)) => is_whole(number),
            ("null" | "boolean" | "number" | "string" | "array" | "object" | "integer", _) => false,
            // There is no such type.
            _ => true,
        },
        _ => true,
    }
}

/// Whether two values are equal; `1.0` equals `1`.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    a == b || canonical::text(a) == canonical::text(b)
}

/// Whether a number keeps to its keywords; the one that it breaks where it does not.
pub(super) fn number(
    field: impl Fn(&str) -> Option<Number>,
    value: &Number,
) -> Result<(), &'static str> {
    type Keeps = fn(Ordering) -> bool;
    let bounds: [(&'static str, Keeps); 4] = [
        ("minimum", Ordering::is_ge),
        ("maximum", Ordering::is_le),
        ("exclusiveMinimum", Ordering::is_gt),
        ("exclusiveMaximum", Ordering::is_lt),
    ];
    for (keyword, keeps) in bounds {
        if let Some(bound) = field(keyword)
            && !compare(value, &bound).is_none_or(keeps)
        {
            return Err(keyword);
        }
    }
    match field("multipleOf") {
        Some(step) if !is_multiple(value, &step) => Err("multipleOf"),
        _ => Ok(()),
    }
}

fn is_whole(number: &Number) -> bool {
    let float = || number.as_f64().is_some_and(|float| float.fract() == 0.0);
    number.is_i64() || number.is_u64() || float()
}

fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    let exact = |number: &Number| canonical::decimal(&number.to_string());
    match (exact(a), exact(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// What has too many digits passes.
fn is_multiple(value: &Number, step: &Number) -> bool {
    canonical::is_multiple(&value.to_string(), &step.to_string()).unwrap_or(true)
}
