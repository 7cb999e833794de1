use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Pattern, object, union};

/// The schema `Tag`.
#[derive(Clone, Debug, PartialEq)]
pub enum Tag {
    /// The alternative `string`.
    String(String),
    /// The alternative `integer`.
    Integer(i64),
}

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::String(value) => value.serialize(serializer),
            Self::Integer(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = union::capture(deserializer)?;
        union::choose(
            &raw,
            &[
                (union::Kind::Text, |raw| union::read(raw).map(Self::String)),
                (union::Kind::Number, |raw| {
                    union::read(raw).map(Self::Integer)
                }),
            ],
        )
    }
}
