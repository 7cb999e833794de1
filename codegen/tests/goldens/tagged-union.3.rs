impl Validate for GoldenCardKind {}

/// Cash
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenCash {
    /// `kind`
    pub kind: GoldenCashKind,
}

crate::object! {
    GoldenCash: Ignored {
        0 "kind" => kind required,
    }
}

impl GoldenCash {
    /// A value with its required properties.
    pub fn new(kind: GoldenCashKind) -> Self {
        Self { kind }
    }
}

impl Validate for GoldenCash {}

/// The value at `Golden.Cash.kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoldenCashKind {
    /// `cash`
    Cash,
}

crate::choice! {
    GoldenCashKind {
        "cash" => Cash,
    }
}

impl Validate for GoldenCashKind {}
