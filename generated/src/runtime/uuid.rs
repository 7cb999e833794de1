//! A UUID that travels in its hyphenated form.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A UUID in the hyphenated form of 36 characters; no other form is read.
///
/// It prints with the capital letters it came with. They make no difference when two are compared.
#[derive(Clone, Copy)]
pub struct Uuid {
    value: ::uuid::Uuid,
    /// Bit *n* is set when character *n* of the digits, hyphens left out, was a capital.
    capitals: u32,
}

/// The text is not a UUID in its hyphenated form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UuidError;

impl Uuid {
    /// Reads the hyphenated form.
    pub fn new(text: &str) -> Result<Self, UuidError> {
        if text.len() != 36 {
            return Err(UuidError);
        }
        let value = ::uuid::Uuid::try_parse(text).map_err(|_| UuidError)?;
        // All bytes at once: hardly any has a capital.
        let has_capitals = text
            .bytes()
            .fold(false, |found, byte| found | byte.is_ascii_uppercase());
        let capitals = if has_capitals { capitals(text) } else { 0 };
        Ok(Self { value, capitals })
    }

    /// A fresh random one.
    pub fn random() -> Self {
        ::uuid::Uuid::new_v4().into()
    }

    /// The identifier itself.
    pub fn value(self) -> ::uuid::Uuid {
        self.value
    }
}

/// See the field of this name.
fn capitals(text: &str) -> u32 {
    let digits = text.bytes().filter(|byte| *byte != b'-').enumerate();
    digits
        .filter(|(_, byte)| byte.is_ascii_uppercase())
        .fold(0, |bits, (index, _)| bits | 1 << index)
}

impl From<::uuid::Uuid> for Uuid {
    fn from(value: ::uuid::Uuid) -> Self {
        Self { value, capitals: 0 }
    }
}

impl From<Uuid> for ::uuid::Uuid {
    fn from(id: Uuid) -> Self {
        id.value
    }
}

impl FromStr for Uuid {
    type Err = UuidError;

    fn from_str(text: &str) -> Result<Self, UuidError> {
        Self::new(text)
    }
}

impl PartialEq for Uuid {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Uuid {}

impl Hash for Uuid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl PartialOrd for Uuid {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Uuid {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = ::uuid::Uuid::encode_buffer();
        let text = self.value.as_hyphenated().encode_lower(&mut buffer);
        if self.capitals != 0 {
            let digits = text
                .char_indices()
                .filter(|(_, character)| *character != '-');
            let places: Vec<usize> = digits.map(|(place, _)| place).collect();
            for (index, place) in places.into_iter().enumerate() {
                if self.capitals & (1 << index) != 0 {
                    text[place..=place].make_ascii_uppercase();
                }
            }
        }
        f.write_str(text)
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Uuid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Uuid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for UuidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a UUID in its hyphenated form of 36 characters")
    }
}

impl std::error::Error for UuidError {}
