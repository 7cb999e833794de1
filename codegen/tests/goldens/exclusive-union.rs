use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::union;

/// Exactly one of the branches, decided by the schema of each.
#[derive(Clone, Debug, PartialEq)]
pub enum Golden {
    /// The alternative `string`.
    String(String),
    /// The alternative `integer`.
    Integer(i64),
}

impl Serialize for Golden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::String(value) => value.serialize(serializer),
            Self::Integer(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Golden {
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
