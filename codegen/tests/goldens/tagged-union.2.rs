/// Card
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoldenCard {
    /// `kind`
    pub kind: GoldenCardKind,
    /// `token`
    pub token: String,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GoldenCardKind {
    /// `card`
    #[serde(rename = "card")]
    Card,
}

impl GoldenCardKind {
    /// The value as it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Card => "card",
        }
    }
}
