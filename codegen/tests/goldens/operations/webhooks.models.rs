use serde::{Deserialize, Serialize};

use crate::runtime::constraint::{self, Validate, Violations};

/// The schema `NewPet`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewPet {
    /// `name`
    pub name: String,
}

impl NewPet {
    /// A value with its required properties.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

impl Validate for NewPet {
    fn validate(&self, found: &mut Violations<'_>) {
        constraint::max_length(&mut found.member("name"), &self.name, 9);
    }
}
