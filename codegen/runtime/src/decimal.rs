//! A decimal number that travels as a JSON string.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A decimal number that keeps the text it came with: `10.00` stays `10.00`.
///
/// The text is an optional minus, digits without leading zeros, and at most one fraction. There is
/// no plus, no exponent and no space.
///
/// Decimals are compared by what they are worth: `10.0` equals `10.00`, and
/// [`same_text`](Decimal::same_text) tells them apart. To calculate, convert to
/// [`rust_decimal::Decimal`] with [`value`](Decimal::value) or `From`, and back with `From`.
#[derive(Clone)]
pub struct Decimal {
    text: Box<str>,
}

/// The text is not a decimal number, or it has more digits than can be held exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalError;

impl Decimal {
    /// Reads a decimal from its text.
    pub fn new(text: &str) -> Result<Self, DecimalError> {
        if !is_decimal(text.as_bytes()) || rust_decimal::Decimal::from_str_exact(text).is_err() {
            return Err(DecimalError);
        }
        Ok(Self { text: text.into() })
    }

    /// The text exactly as it travels.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number itself, with the scale that the text shows.
    pub fn value(&self) -> rust_decimal::Decimal {
        rust_decimal::Decimal::from_str_exact(&self.text).unwrap_or_default()
    }

    /// Whether two decimals have the same text: `10.0` and `10.00` do not.
    pub fn same_text(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)?`
fn is_decimal(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let mut parts = unsigned.splitn(2, |byte| *byte == b'.');
    let whole = parts.next().unwrap_or_default();
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    digits(whole) && (whole.len() == 1 || whole[0] != b'0') && parts.next().is_none_or(digits)
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.same_text(other) || self.value() == other.value()
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value().cmp(&other.value())
    }
}

impl Hash for Decimal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value().normalize().hash(state);
    }
}

impl TryFrom<&str> for Decimal {
    type Error = DecimalError;

    fn try_from(text: &str) -> Result<Self, DecimalError> {
        Self::new(text)
    }
}

impl From<i64> for Decimal {
    fn from(whole: i64) -> Self {
        Self::from(rust_decimal::Decimal::from(whole))
    }
}

impl From<Decimal> for rust_decimal::Decimal {
    fn from(decimal: Decimal) -> Self {
        decimal.value()
    }
}

impl From<rust_decimal::Decimal> for Decimal {
    fn from(value: rust_decimal::Decimal) -> Self {
        Self {
            text: value.to_string().into(),
        }
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Self::new(text)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a decimal number as text, such as \"10.00\"")
    }
}

impl std::error::Error for DecimalError {}
