//! Documented example bodies.

use super::{Status, Usage};

/// An example of a body.
#[derive(Debug, Clone)]
pub struct Example {
    /// Index of the area.
    pub area: usize,
    /// Index of the operation in its area.
    pub operation: usize,
    /// Whose body it is.
    pub role: Role,
    /// Its key in the document.
    pub key: String,
    /// What the body is.
    pub usage: Usage,
    /// The value as JSON text.
    pub json: String,
}

/// Whose body an example is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The request's.
    Request,
    /// A response's.
    Response(Status),
}
