//! What a value has to keep to beyond its type.

/// The keywords of a schema that bound a value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Constraints {
    /// `pattern`
    pub patterns: Vec<String>,
    /// `minLength`
    pub min_length: Option<u64>,
    /// `maxLength`
    pub max_length: Option<u64>,
    /// `minimum`, `exclusiveMinimum`
    pub minimum: Option<Bound>,
    /// `maximum`, `exclusiveMaximum`
    pub maximum: Option<Bound>,
    /// `multipleOf`, in the document's digits
    pub multiple_of: Option<String>,
    /// `minItems`
    pub min_items: Option<u64>,
    /// `maxItems`
    pub max_items: Option<u64>,
    /// `uniqueItems`
    pub unique_items: bool,
    /// `minProperties`
    pub min_properties: Option<u64>,
    /// `maxProperties`
    pub max_properties: Option<u64>,
    /// `enum` of a number, in the document's digits
    pub one_of: Vec<String>,
    /// Whether a number is whole.
    pub whole: bool,
    /// `format: uri`
    pub uri: bool,
    /// A schema, as JSON, for what the others do not say.
    pub rule: Option<String>,
}

/// An end of a range.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The number in the document's digits.
    pub digits: String,
    /// Whether the number itself is outside.
    pub exclusive: bool,
}

impl Constraints {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
