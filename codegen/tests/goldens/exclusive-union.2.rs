impl Validate for Golden {
    fn validate(&self, found: &mut Violations<'_>) {
        match self {
            Self::String(value) => {
                constraint::max_length(found, value, 3);
            }
            _ => {}
        }
    }
}
