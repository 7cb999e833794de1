//! Decimal: an exact number that keeps its digits as written.

use std::cmp::Ordering;
use std::fmt;

use openapi_document::Node;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An exact number, such as `-9.99`, that keeps its digits as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "String")]
pub struct Decimal(String);

impl Decimal {
    /// Parses an optional minus, digits, and at most one decimal point; `None` for anything else.
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

    /// The number as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number in a node: a number, a text that is a number, or an amount next to its currency.
    /// `None` otherwise.
    pub fn of_node(node: &Node) -> Option<Self> {
        if let Some(text) = node.as_number().or_else(|| node.as_str()) {
            return Self::parse(text);
        }
        let says = |key: &str| key.to_lowercase().contains("currency");
        let mut rest = node.entries().filter(|entry| !says(&entry.key));
        let only = rest.next().filter(|_| rest.next().is_none())?;
        let is_money = node.entries().count() == 2 && only.value.as_mapping().is_none();
        is_money.then(|| Self::of_node(&only.value))?
    }

    /// The sum; `None` if it exceeds 128 bits.
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let ((one, places), (two, more)) = (self.units()?, other.units()?);
        let scale = places.max(more);
        let raised = |units: i128, from: u32| units.checked_mul(10_i128.checked_pow(scale - from)?);
        let sum = raised(one, places)?.checked_add(raised(two, more)?)?;
        Some(Self::of_units(sum, scale))
    }

    /// The product; `None` if it exceeds 128 bits.
    pub fn times(&self, other: &Self) -> Option<Self> {
        let ((one, places), (two, more)) = (self.units()?, other.units()?);
        Some(Self::of_units(one.checked_mul(two)?, places + more))
    }

    /// The number with the opposite sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self.0.strip_prefix('-') {
            Some(digits) => Self(digits.to_owned()),
            None => Self(format!("-{}", self.0)),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        !self.0.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
    }

    /// Whether its absolute value is less than one unit of the last of `places` decimal places.
    pub(crate) fn is_below(&self, places: u32) -> bool {
        let raised = self.units().and_then(|(units, scale)| {
            let unit = 10_u128.checked_pow(scale.saturating_sub(places))?;
            let lifted = 10_u128.checked_pow(places.saturating_sub(scale))?;
            Some(units.unsigned_abs().checked_mul(lifted)? < unit)
        });
        raised == Some(true)
    }

    /// One unit of the last of `places` decimal places: `0.01` for 2.
    pub(crate) fn unit(places: u32) -> Self {
        Self::of_units(1, places)
    }

    /// The number of digits after the decimal point.
    pub fn places(&self) -> u32 {
        let part = self.0.split_once('.').map_or("", |(_, part)| part);
        u32::try_from(part.len()).unwrap_or(u32::MAX)
    }

    /// The number as an integer in units of its last digit, and the number of decimal places.
    fn units(&self) -> Option<(i128, u32)> {
        Some((self.0.replace('.', "").parse().ok()?, self.places()))
    }

    fn of_units(units: i128, places: u32) -> Self {
        let scale = places as usize;
        let mut digits = format!("{:0>width$}", units.unsigned_abs(), width = scale + 1);
        if scale > 0 {
            digits.insert(digits.len() - scale, '.');
        }
        let sign = if units < 0 { "-" } else { "" };
        Self(format!("{sign}{digits}"))
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        self.0.starts_with('-') && self.0.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
    }

    /// Compares by value: `1` and `1.0` are equal.
    pub fn cmp_value(&self, other: &Self) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.size().cmp(&other.size()),
            (true, true) => other.size().cmp(&self.size()),
        }
    }

    /// The number of digits before the point without leading zeros, these digits, and the digits
    /// after the point.
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
    fn numbers_are_added_and_multiplied_exactly() {
        for (one, other, sum, product) in [
            ("1.5", "0.25", "1.75", "0.375"),
            ("-1", "0.1", "-0.9", "-0.1"),
            ("0", "-0.05", "-0.05", "0.00"),
        ] {
            let (one, other) = (Decimal::parse(one).unwrap(), Decimal::parse(other).unwrap());
            assert_eq!(one.plus(&other), Decimal::parse(sum));
            let product = Decimal::parse(product).unwrap();
            let found = one.times(&other).unwrap();
            assert_eq!(found.cmp_value(&product), Ordering::Equal, "{found}");
        }
    }

    #[test]
    fn other_texts_are_not_numbers() {
        for text in ["", "-", ".5", "5.", "1e3", "1,5", "+1", "1.2.3"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
