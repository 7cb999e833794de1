use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::runtime::constraint::Validate;
use crate::runtime::{choice, object, union};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub enum Golden {
    /// `card`
    Card(GoldenCard),
    /// `cash`
    Cash(GoldenCash),
}

impl Serialize for Golden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Card(value) => value.serialize(serializer),
            Self::Cash(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Golden {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = union::capture(deserializer)?;
        match union::tag(&raw, "kind")?.as_str() {
            "card" => union::branch(&raw).map(Self::Card),
            "cash" => union::branch(&raw).map(Self::Cash),
            other => Err(union::unknown_tag("kind", other)),
        }
    }
}

impl Validate for Golden {}
