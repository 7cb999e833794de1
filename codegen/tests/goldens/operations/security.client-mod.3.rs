impl Settings {
    /// With the token of the scheme `oauth`.
    #[must_use]
    pub fn oauth(self, key: impl Into<String>) -> Self {
        self.credential(
            operations::OAUTH,
            Credential::Key(Sensitive::new(key.into())),
        )
    }

    /// With tokens of the scheme `oauth` from a source, which is asked again before one ends.
    #[must_use]
    pub fn oauth_from(self, source: impl TokenSource + 'static) -> Self {
        self.tokens(operations::OAUTH, source)
    }

    /// With tokens of the scheme `oauth` for a client and its secret, from `/oauth/token`.
    #[must_use]
    pub fn oauth_for_client(
        self,
        id: impl Into<String>,
        secret: impl Into<Sensitive<String>>,
    ) -> Self {
        self.oauth_from(ClientCredentials::new("/oauth/token", id, secret))
    }
}

impl Settings {
    /// With the API key of the scheme `queryKey`.
    #[must_use]
    pub fn query_key(self, key: impl Into<String>) -> Self {
        self.credential(
            operations::QUERY_KEY,
            Credential::Key(Sensitive::new(key.into())),
        )
    }
}
