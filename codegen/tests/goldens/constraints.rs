use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Pattern, object};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `code`
    pub code: String,
    /// `count`
    pub count: Option<i64>,
}

crate::object! {
    Golden: Ignored {
        0 "code" => code required,
        1 "count" => count optional,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(code: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            count: None,
        }
    }
}
