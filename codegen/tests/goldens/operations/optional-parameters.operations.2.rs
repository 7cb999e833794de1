impl Validate for BrowseParameters {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(limit) = &self.limit {
            constraint::minimum(&mut found.member("limit"), limit, &1);
        }
    }
}
