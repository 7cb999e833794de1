//! Subject: the parameter, property, list or owner that a rule concerns.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A parameter, a property or a list, with its owner.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The operationId, the method and path, or the name of the schema or component.
    #[serde(rename = "of")]
    pub owner: String,
    /// The name of the parameter or property; `None` for the owner itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Subject {
    /// The owner of a parameter that several operations share by a reference.
    pub const SHARED: &str = "any operation";

    /// The subject as part of a fact id.
    pub(crate) fn key(&self) -> String {
        match &self.name {
            Some(name) => format!("{}/{name}", self.owner),
            None => self.owner.clone(),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) if self.owner == Self::SHARED => {
                write!(f, "`{name}` of the operations that share it")
            }
            Some(name) => write!(f, "`{name}` of {}", self.owner),
            None => f.write_str(&self.owner),
        }
    }
}
