//! One text for each JSON value: equal values have equal texts.

use std::fmt::Write as _;

use rust_decimal::Decimal;
use serde_json::Value;

/// The text of a value: keys in order, numbers in their shortest form, for `1.0` equals `1`.
pub(super) fn text(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

/// A number as an exact decimal, or nothing when it has too many digits for one.
pub(super) fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_str_exact(text)
        .or_else(|_| Decimal::from_scientific(text))
        .ok()
}

/// Whether a number is a multiple of another, computed exactly; nothing where one of them has too
/// many digits for that.
pub(super) fn is_multiple(value: &str, step: &str) -> Option<bool> {
    let (value, scale) = digits(value)?;
    let (step, step_scale) = digits(step)?;
    if step == 0 {
        return None;
    }
    let power = scale.checked_sub(step_scale)?;
    let shift = power.unsigned_abs();
    if power < 0 {
        let wide = 10_u128
            .checked_pow(shift)
            .and_then(|by| step.checked_mul(by));
        return Some(wide.map_or(value == 0, |wide| value % wide == 0));
    }
    // Powers of ten beyond the digits of the step add no more factors.
    let factor = u128::from(u64::try_from(step).ok()?);
    let shifts = std::iter::repeat_n(10, usize::try_from(shift.min(64)).ok()?);
    Some(shifts.fold(value % factor, |rest, ten| rest * ten % factor) == 0)
}

/// A number as `digits × 10^scale`, without its sign.
fn digits(text: &str) -> Option<(u128, i32)> {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let exponent: i32 = exponent.parse().ok()?;
    let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    Some((format!("{whole}{fraction}").parse().ok()?, scale))
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Number(number) => {
            let digits = number.to_string();
            let _ = match decimal(&digits) {
                Some(exact) => write!(text, "{}", exact.normalize()),
                None => write!(text, "{:e}", digits.parse().unwrap_or(f64::NAN)),
            };
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, member) in members {
                let _ = write!(text, "{name:?}:");
                write(member, text);
                text.push(',');
            }
            text.push('}');
        }
        other => {
            let _ = write!(text, "{other}");
        }
    }
}
