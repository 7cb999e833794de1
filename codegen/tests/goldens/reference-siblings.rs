use serde::{Deserialize, Serialize};

use crate::runtime::constraint::Validate;
use crate::runtime::nullable;

/// The schema `Golden`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// What it is in.
    ///
    /// Deprecated.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub parent: Option<Box<Golden>>,
}

impl Validate for Golden {}
