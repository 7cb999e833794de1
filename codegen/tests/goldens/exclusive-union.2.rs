impl Validate for Golden {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Self::String(value) = self {
            constraint::max_length(found, value, 3);
        }
    }
}
