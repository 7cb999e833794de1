use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::object;

/// The schema `NewPet`.
#[derive(Clone, Debug, PartialEq)]
pub struct NewPet {
    /// `name`
    pub name: String,
}

crate::object! {
    NewPet: Ignored {
        0 "name" => name required,
    }
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
