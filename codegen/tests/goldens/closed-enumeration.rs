use crate::runtime::choice;
use crate::runtime::constraint::Validate;

/// The schema `Golden`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Golden {
    /// `asc`
    Asc,
    /// `-1`
    Minus1,
    /// The empty text.
    Empty,
}

crate::choice! {
    Golden {
        "asc" => Asc,
        "-1" => Minus1,
        "" => Empty,
    }
}

impl Validate for Golden {}
