//! Effect: an operation gives a property of its record a value.

use std::fmt;

/// An operation gives a property of its record a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The operation.
    pub operation: String,
    /// The property, where the document names it.
    pub property: Option<String>,
    /// The value afterwards.
    pub value: String,
}

impl Effect {
    pub(super) fn key(&self) -> String {
        format!("{}/{}", self.operation, self.value)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let property = self.property.as_deref().unwrap_or("the state");
        write!(f, "{} sets {property} to {}", self.operation, self.value)
    }
}
