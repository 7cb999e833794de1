use crate::runtime::constraint::Validate;
use crate::runtime::object;

/// The schema `Golden`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Golden {
    /// What it is in.
    ///
    /// Deprecated.
    pub parent: Option<Box<Golden>>,
}

crate::object! {
    Golden: Ignored {
        0 "parent" => parent optional,
    }
}

impl Validate for Golden {}
