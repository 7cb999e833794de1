impl Serialize for GoldenSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(value) => value.serialize(serializer),
            Self::String(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for GoldenSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = union::capture(deserializer)?;
        union::choose(
            &raw,
            &[
                (union::Kind::Number, |raw| {
                    union::read(raw).map(Self::Integer)
                }),
                (union::Kind::Text, |raw| union::read(raw).map(Self::String)),
            ],
        )
    }
}

impl Validate for GoldenSize {}
