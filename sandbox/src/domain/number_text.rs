//! Converts JSON numbers to decimal text.

/// The most zeros that an exponent may add on either side of the decimal point; also the most
/// decimal places.
pub const MOST_ZEROS: usize = 18;

/// The exact decimal text of a JSON number: `1.5e2` is `150.0`. `None` when the number is negative
/// or has more digits than any amount.
pub fn decimal_text(text: &str) -> Option<String> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.starts_with('-') || fraction.len() > MOST_ZEROS || exponent == 0 {
        return (exponent == 0 && !whole.starts_with('-')).then(|| mantissa.to_owned());
    }
    let zeros = usize::try_from(exponent.unsigned_abs()).ok()?;
    if zeros > MOST_ZEROS {
        return None;
    }
    let padding = "0".repeat(zeros);
    let digits = if exponent > 0 {
        format!("{whole}{fraction}{padding}")
    } else {
        format!("{padding}{whole}{fraction}")
    };
    let point = if exponent > 0 {
        whole.len() + zeros
    } else {
        whole.len()
    };
    let (whole, fraction) = digits.split_at(point);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{whole}{point}{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_decimal_text_exactly() {
        let table = [
            ("49.99", Some("49.99")),
            ("0.10", Some("0.10")),
            ("5000", Some("5000")),
            ("1.5e2", Some("150.0")),
            ("1e2", Some("100")),
            ("1E+2", Some("100")),
            ("125e-2", Some("1.25")),
            ("5e-1", Some("0.5")),
            ("0e0", Some("0")),
            ("12345678901234567.89", Some("12345678901234567.89")),
            ("-1", None),
            ("-1e1", None),
            ("1e19", None),
            ("1e999999999999", None),
        ];
        for (number, expected) in table {
            assert_eq!(decimal_text(number).as_deref(), expected, "{number}");
        }
    }
}
