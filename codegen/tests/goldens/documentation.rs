use serde::{Deserialize, Serialize};

use crate::runtime::constraint::Validate;
use crate::runtime::{Timestamp, nullable};

/// What it is.
///
/// - An item.
///   Code that is none.
///
/// Inferred (section “Events”).
///
/// Deprecated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// When.
    ///
    /// Deprecated.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub at: Option<Timestamp>,
}

impl Validate for Golden {}
