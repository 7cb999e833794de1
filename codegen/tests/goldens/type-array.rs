use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::runtime::constraint::Validate;
use crate::runtime::{nullable, union};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// `name`
    #[serde(deserialize_with = "nullable::required")]
    pub name: Option<String>,
    /// `size`
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub size: Option<GoldenSize>,
}

impl Golden {
    /// A value with its required properties.
    pub fn new(name: Option<String>) -> Self {
        Self { name, size: None }
    }
}

impl Validate for Golden {}

/// The value at `Golden.size`.
#[derive(Clone, Debug, PartialEq)]
pub enum GoldenSize {
    /// The alternative `integer`.
    Integer(i64),
    /// The alternative `string`.
    String(String),
}
