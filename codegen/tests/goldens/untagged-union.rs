use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::runtime::constraint::Validate;
use crate::runtime::{Number, union};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub enum Golden {
    /// The alternative `string`.
    String(String),
    /// The alternative `number`.
    Number(Number),
    /// The alternative `array`.
    Array(Vec<String>),
}

impl Serialize for Golden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::String(value) => value.serialize(serializer),
            Self::Number(value) => value.serialize(serializer),
            Self::Array(value) => value.serialize(serializer),
        }
    }
}
