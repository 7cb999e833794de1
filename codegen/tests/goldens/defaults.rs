use crate::runtime::constraint::Validate;
use crate::runtime::object;

/// The schema `Golden`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Golden {
    /// How many.
    ///
    /// Default: `10`.
    pub size: Option<i64>,
    /// Default: `true`.
    pub sorted: Option<bool>,
}

crate::object! {
    Golden: Ignored {
        0 "size" => size optional,
        1 "sorted" => sorted optional,
    }
}

impl Validate for Golden {}
