use crate::runtime::constraint::Validate;
use crate::runtime::object;

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `name`
    pub name: String,
}

crate::object! {
    Golden: Ignored {
        0 "name" => name required,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

impl Validate for Golden {}
