use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::runtime::constraint::Validate;

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden(pub Vec<Golden>);

impl Serialize for Golden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Golden {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Deserialize::deserialize(deserializer).map(Self)
    }
}

impl Validate for Golden {}
