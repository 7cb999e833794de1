use serde::{Deserialize, Serialize};

use crate::runtime::constraint::Validate;
use crate::runtime::nullable;

/// The schema `Golden`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// How many.
    ///
    /// Default: `10`.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub size: Option<i64>,
    /// Default: `true`.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub sorted: Option<bool>,
}

impl Validate for Golden {}
