use crate::runtime::constraint::Validate;
use crate::runtime::{Nullable, object};

/// Absent, null and a value, in all combinations.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `maybe`
    pub maybe: Option<bool>,
    /// `maybeOrNull`
    pub maybe_or_null: Nullable<String>,
    /// `present`
    pub present: String,
    /// `presentOrNull`
    pub present_or_null: Option<i64>,
}

crate::object! {
    Golden: Ignored {
        0 "maybe" => maybe optional,
        1 "maybeOrNull" => maybe_or_null nullable,
        2 "present" => present required,
        3 "presentOrNull" => present_or_null or_null,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(present: impl Into<String>, present_or_null: Option<i64>) -> Self {
        Self {
            maybe: None,
            maybe_or_null: Nullable::Absent,
            present: present.into(),
            present_or_null,
        }
    }
}

impl Validate for Golden {}
