use crate::runtime::constraint::Validate;
use crate::runtime::object;

/// The schema `Golden`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Golden {
    /// `children`
    pub children: Option<Vec<Golden>>,
    /// `parent`
    pub parent: Option<Box<Golden>>,
}

crate::object! {
    Golden: Ignored {
        0 "children" => children optional,
        1 "parent" => parent optional,
    }
}

impl Validate for Golden {}
