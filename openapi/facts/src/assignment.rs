//! Assignment: a property and the value that an operation gives it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A property and the value that an operation gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Assignment {
    /// The name of the property.
    pub name: String,
    /// The value after the operation.
    pub value: String,
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` to {}", self.name, self.value)
    }
}
