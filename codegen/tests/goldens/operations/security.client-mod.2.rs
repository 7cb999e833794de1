impl Settings {
    /// With the API key of the scheme `cookieKey`.
    #[must_use]
    pub fn cookie_key(self, key: impl Into<String>) -> Self {
        self.credential(
            operations::COOKIE_KEY,
            Credential::Key(Sensitive::new(key.into())),
        )
    }
}

impl Settings {
    /// With the API key of the scheme `headerKey`.
    #[must_use]
    pub fn header_key(self, key: impl Into<String>) -> Self {
        self.credential(
            operations::HEADER_KEY,
            Credential::Key(Sensitive::new(key.into())),
        )
    }
}
