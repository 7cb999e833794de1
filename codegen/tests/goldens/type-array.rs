use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::runtime::constraint::Validate;
use crate::runtime::{object, union};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `name`
    pub name: Option<String>,
    /// `size`
    pub size: Option<GoldenSize>,
}

crate::object! {
    Golden: Ignored {
        0 "name" => name or_null,
        1 "size" => size optional,
    }
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
