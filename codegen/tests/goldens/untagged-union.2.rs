impl<'de> Deserialize<'de> for Golden {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = union::capture(deserializer)?;
        union::choose(
            &raw,
            &[
                (union::Kind::Text, |raw| union::read(raw).map(Self::String)),
                (union::Kind::Number, |raw| {
                    union::read(raw).map(Self::Number)
                }),
                (union::Kind::List, |raw| union::read(raw).map(Self::Array)),
            ],
        )
    }
}

impl Validate for Golden {}
