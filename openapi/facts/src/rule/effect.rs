//! Effect: an operation gives a property of its record a value.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;

/// An operation gives a property of its record a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Effect {
    /// The operation.
    pub operation: String,
    /// The property, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The value after the operation.
    pub value: String,
}

impl Kind for Effect {
    fn key(&self) -> String {
        format!("{}/{}", self.operation, self.value)
    }

    fn owner(&self) -> &str {
        &self.operation
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.operation
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let property = self.property.as_deref().unwrap_or("the state");
        write!(f, "{} sets {property} to {}", self.operation, self.value)
    }
}
