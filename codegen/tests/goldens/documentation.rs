use crate::runtime::constraint::Validate;
use crate::runtime::{Timestamp, object};

/// What it is.
///
/// - An item.
///   Code that is none.
///
/// Inferred (section “Events”).
///
/// Deprecated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Golden {
    /// When.
    ///
    /// Deprecated.
    pub at: Option<Timestamp>,
}

crate::object! {
    Golden: Ignored {
        0 "at" => at optional,
    }
}

impl Validate for Golden {}
