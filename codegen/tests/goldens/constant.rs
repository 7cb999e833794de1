use std::fmt;

use serde::{Deserialize, Serialize};

use crate::runtime::constraint::Validate;

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// `kind`
    pub kind: GoldenKind,
}

impl Golden {
    /// A value with its required properties.
    pub fn new(kind: GoldenKind) -> Self {
        Self { kind }
    }
}

impl Validate for Golden {}

/// The value at `Golden.kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GoldenKind {
    /// `card`
    #[serde(rename = "card")]
    Card,
}

impl GoldenKind {
    /// The value as it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Card => "card",
        }
    }
}
