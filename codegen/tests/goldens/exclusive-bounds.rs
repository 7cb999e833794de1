use serde::{Deserialize, Serialize};

use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Number, nullable};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// `count`
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub count: Option<i64>,
    /// `rate`
    pub rate: Number,
}

impl Golden {
    /// A value with its required properties.
    pub fn new(rate: Number) -> Self {
        Self { count: None, rate }
    }
}
