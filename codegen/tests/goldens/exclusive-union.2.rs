impl Validate for Golden {
    fn validate(&self, found: &mut Violations<'_>) {
        match self {
            Self::String(value) => value.validate(found),
            Self::Integer(value) => value.validate(found),
        }
    }
}
