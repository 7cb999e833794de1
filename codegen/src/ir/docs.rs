//! Documentation: descriptions for people.

/// Documentation of a type, a field or an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Docs {
    /// The description or, without one, the summary or title.
    pub text: Option<String>,
    /// Whether the document marks it as deprecated.
    pub deprecated: bool,
}
