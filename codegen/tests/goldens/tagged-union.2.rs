/// Card
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenCard {
    /// `kind`
    pub kind: GoldenCardKind,
    /// `token`
    pub token: String,
}

crate::object! {
    GoldenCard: Ignored {
        0 "kind" => kind required,
        1 "token" => token required,
    }
}

impl GoldenCard {
    /// A value with its required properties.
    pub fn new(kind: GoldenCardKind, token: impl Into<String>) -> Self {
        Self {
            kind,
            token: token.into(),
        }
    }
}

impl Validate for GoldenCard {}

/// The value at `Golden.Card.kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoldenCardKind {
    /// `card`
    Card,
}

crate::choice! {
    GoldenCardKind {
        "card" => Card,
    }
}
