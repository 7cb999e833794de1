impl fmt::Display for GoldenCardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Validate for GoldenCardKind {}

/// Cash
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoldenCash {
    /// `kind`
    pub kind: GoldenCashKind,
}

impl GoldenCash {
    /// A value with its required properties.
    pub fn new(kind: GoldenCashKind) -> Self {
        Self { kind }
    }
}

impl Validate for GoldenCash {}

/// The value at `Golden.Cash.kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GoldenCashKind {
    /// `cash`
    #[serde(rename = "cash")]
    Cash,
}

impl GoldenCashKind {
    /// The value as it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cash => "cash",
        }
    }
}
