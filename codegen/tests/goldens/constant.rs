use crate::runtime::constraint::Validate;
use crate::runtime::{choice, object};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `kind`
    pub kind: GoldenKind,
}

crate::object! {
    Golden: Ignored {
        0 "kind" => kind required,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(kind: GoldenKind) -> Self {
        Self { kind }
    }
}

impl Validate for Golden {}

/// The value at `Golden.kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoldenKind {
    /// `card`
    Card,
}

crate::choice! {
    GoldenKind {
        "card" => Card,
    }
}

impl Validate for GoldenKind {}
