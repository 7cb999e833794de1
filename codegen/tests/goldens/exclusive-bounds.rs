use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Number, object};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `count`
    pub count: Option<i64>,
    /// `rate`
    pub rate: Number,
}

crate::object! {
    Golden: Ignored {
        0 "count" => count optional,
        1 "rate" => rate required,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(rate: Number) -> Self {
        Self { count: None, rate }
    }
}
