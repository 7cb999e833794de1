use serde::{Deserialize, Serialize};

use crate::runtime::constraint::Validate;

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// `name`
    pub name: String,
}

impl Golden {
    /// A value with its required properties.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

impl Validate for Golden {}
