//! A JSON number that keeps its digits.

use std::fmt;
use std::str::FromStr;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::texts;

/// The name under which `serde_json` hands over a value's text instead of its parsed form.
pub(super) const RAW_TOKEN: &str = "$serde_json::private::RawValue";

/// A JSON number that keeps the text it came with, so that `10.10` does not become `10.1`.
///
/// Two numbers are equal when their texts are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number {
    text: Box<str>,
}

/// The text is not a JSON number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberError;

impl Number {
    /// Reads a number from its JSON text.
    pub fn new(text: &str) -> Result<Self, NumberError> {
        let numeric = text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            && text.ends_with(|last: char| last.is_ascii_digit());
        if !numeric || serde_json::from_str::<&RawValue>(text).is_err() {
            return Err(NumberError);
        }
        Ok(Self { text: text.into() })
    }

    /// The text exactly as it travels.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number as an exact decimal, or nothing when it has too many digits for one.
    pub fn to_decimal(&self) -> Option<rust_decimal::Decimal> {
        rust_decimal::Decimal::from_str_exact(&self.text)
            .or_else(|_| rust_decimal::Decimal::from_scientific(&self.text))
            .ok()
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        self.text.parse().unwrap_or(f64::NAN)
    }
}

macro_rules! number_from {
    ($($source:ty),*) => {
        $(impl From<$source> for Number {
            fn from(value: $source) -> Self {
                Self { text: value.to_string().into() }
            }
        })*
    };
}

number_from!(i32, i64, u32, u64, rust_decimal::Decimal);

impl TryFrom<f64> for Number {
    type Error = NumberError;

    fn try_from(value: f64) -> Result<Self, NumberError> {
        Self::new(&value.to_string())
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        Self::new(text)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.text.to_string())
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(RAW_TOKEN, NumberVisitor)
    }
}

/// Takes the number's text where the format offers it, and its parsed value where it does not
/// (inside values that serde has buffered).
struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Number, A::Error> {
        let text = map
            .next_entry::<String, String>()?
            .map(|(_, text)| text)
            .unwrap_or_default();
        let of_texts = texts::within(&text).and_then(|text| serde_json::from_str(text).ok());
        Number::new(&of_texts.unwrap_or(text)).map_err(serde::de::Error::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, source: D) -> Result<Number, D::Error> {
        source.deserialize_f64(self)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(value.into())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Number, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Number, E> {
        value.try_into().map_err(E::custom)
    }
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number")
    }
}

impl std::error::Error for NumberError {}
