//! Decimal: an exact number, as it is written.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An exact number, such as `-9.99`, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "String")]
pub struct Decimal(String);

impl Decimal {
    /// Reads digits with at most one point between them, after an optional minus.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, part) = match digits.split_once('.') {
            Some((whole, part)) => (whole, Some(part)),
            None => (digits, None),
        };
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let fits = is_number(whole) && part.is_none_or(is_number);
        fits.then(|| Self(text.to_owned()))
    }

    /// The number as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        self.0.starts_with('-') && self.0.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
    }

    /// How it compares with another number by its value: `1` and `1.0` are equal.
    pub fn cmp_value(&self, other: &Self) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.size().cmp(&other.size()),
            (true, true) => other.size().cmp(&self.size()),
        }
    }

    /// The number of whole digits, these digits, and those of the part.
    fn size(&self) -> (usize, &str, &str) {
        let digits = self.0.trim_start_matches('-');
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let whole = whole.trim_start_matches('0');
        (whole.len(), whole, part.trim_end_matches('0'))
    }
}

impl TryFrom<Value> for Decimal {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let found = match &value {
            Value::String(text) => Self::parse(text),
            Value::Number(number) => Self::parse(&number.to_string()),
            _ => None,
        };
        found.ok_or_else(|| format!("expected a decimal number such as '9.99', got {value}"))
    }
}

impl From<Decimal> for String {
    fn from(number: Decimal) -> Self {
        number.0
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_their_values() {
        let sorted = ["-10", "-9.5", "-0.0", "0.09", "0.1", "1.0", "2", "10"];
        let sorted = sorted.map(|text| Decimal::parse(text).unwrap());
        for pair in sorted.windows(2) {
            assert_eq!(pair[0].cmp_value(&pair[1]), Ordering::Less, "{pair:?}");
        }
        let (one, same) = (
            Decimal::parse("1").unwrap(),
            Decimal::parse("01.0").unwrap(),
        );
        assert_eq!(one.cmp_value(&same), Ordering::Equal);
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in ["", "-", ".5", "5.", "1e3", "1,5", "+1", "1.2.3"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
