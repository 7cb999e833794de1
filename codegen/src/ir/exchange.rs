//! Exchanges of client and server that test the documented examples.

/// A request with its answer.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Its name for people: the names of the request and of the answer.
    pub name: String,
    /// Index of the area.
    pub area: usize,
    /// Index of the operation in its area.
    pub operation: usize,
    /// Values of parameters as JSON text, by the parameter's index.
    pub parameters: Vec<(usize, String)>,
    /// The body as JSON text, with the index of its content.
    pub body: Option<(usize, String)>,
    /// Index of the response.
    pub response: usize,
    /// Index of the response's content, where it has one.
    pub content: Option<usize>,
    /// The status of the answer.
    pub status: u16,
    /// The answer's body as JSON text; empty for an answer without a body.
    pub answer: String,
}
