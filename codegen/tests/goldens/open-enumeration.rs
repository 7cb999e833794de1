use crate::runtime::choice;
use crate::runtime::constraint::Validate;

/// The state.
///
/// More values than these may come.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Golden {
    /// `ACCEPTED`
    Accepted,
    /// A value that the document does not name.
    Unknown(String),
}

crate::choice! {
    Golden {
        "ACCEPTED" => Accepted,
    } or Unknown
}

impl Validate for Golden {}
