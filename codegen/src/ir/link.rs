//! Links from an answer to other operations.

use super::{Docs, Location};

/// A link of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its name under `links`.
    pub name: String,
    /// The index of the linked operation's area.
    pub area: usize,
    /// The index of the linked operation in its area.
    pub operation: usize,
    /// The values of its parameters, by their index.
    pub parameters: Vec<(usize, Expression)>,
    /// The value of its body, with the index of the content.
    pub body: Option<(usize, Expression)>,
    /// Its documentation.
    pub docs: Docs,
}

/// The source of a value of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// `$url`
    Url,
    /// `$method`
    Method,
    /// `$statusCode`
    StatusCode,
    /// `$request.path.…`, `$request.query.…`, `$request.header.…`
    Request(Location, String),
    /// `$request.body#…`, with a JSON pointer.
    RequestBody(String),
    /// `$response.header.…`
    ResponseHeader(String),
    /// `$response.body#…`, with a JSON pointer.
    ResponseBody(String),
    /// A value as JSON text.
    Constant(String),
    /// A text with expressions in it.
    Text(Vec<Expression>),
}
