use crate::runtime::constraint::Validate;
use crate::runtime::object;

/// The schema `Note`.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// `text`
    pub text: String,
}

crate::object! {
    Note: Ignored {
        0 "text" => text required,
    }
}

impl Note {
    /// A value with its required properties.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

impl Validate for Note {}
