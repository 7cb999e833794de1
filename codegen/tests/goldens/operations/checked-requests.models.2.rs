impl Validate for Tag {
    fn validate(&self, found: &mut Violations<'_>) {
        match self {
            Self::String(value) => {
                constraint::pattern(found, value, &STRING);
            }
            Self::Integer(value) => {
                constraint::minimum(found, value, &1);
            }
        }
    }
}

/// The schema `Tagged`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged {
    /// `tags`
    pub tags: Vec<Tag>,
}

crate::object! {
    Tagged: Ignored {
        0 "tags" => tags required,
    }
}

impl Tagged {
    /// A value with its required properties.
    pub fn new(tags: Vec<Tag>) -> Self {
        Self { tags }
    }
}
