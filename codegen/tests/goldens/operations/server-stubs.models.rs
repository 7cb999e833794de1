use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::object;

/// The schema `Kept`.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// `name`
    pub name: String,
}

crate::object! {
    Kept: Ignored {
        0 "name" => name required,
    }
}

impl Kept {
    /// A value with its required properties.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

impl Validate for Kept {
    fn validate(&self, found: &mut Violations<'_>) {
        constraint::min_length(&mut found.member("name"), &self.name, 1);
    }
}
