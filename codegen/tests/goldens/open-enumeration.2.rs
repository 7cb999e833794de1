impl Golden {
    /// The value as it travels.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Accepted => "ACCEPTED",
            Self::Unknown(text) => text,
        }
    }
}

impl fmt::Display for Golden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Validate for Golden {}
