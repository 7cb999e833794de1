use crate::runtime::constraint::Validate;
use crate::runtime::object;

/// The schema `Golden`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Golden {
    /// `snake_case`
    pub snake_case: Option<String>,
    /// `type`
    pub r#type: Option<String>,
}

crate::object! {
    Golden: Refused {
        0 "snake_case" => snake_case optional,
        1 "type" => r#type optional,
    }
}

impl Validate for Golden {}
