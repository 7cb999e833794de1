//! What an implementation learns about a request beside its parameters and body.

use http::{Extensions, HeaderMap, Uri};

use super::super::answer::Answer;
use super::super::operation::Operation;
use super::super::problem::Problem;
use super::refusal::{Describe, Reason};

/// What an implementation learns about a request beside its parameters and body.
#[derive(Clone)]
pub struct Context {
    /// The operation that is called.
    pub operation: &'static Operation,
    /// The id of the request: the one it came with, or else a fresh one. The answer carries it too.
    pub request_id: String,
    /// The address of the request.
    pub uri: Uri,
    /// All headers of the request.
    pub headers: HeaderMap,
    /// What layers and the guard have left for the implementation.
    pub extensions: Extensions,
    pub(super) describe: Describe,
}

impl Context {
    /// The text of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A problem with this request.
    pub fn problem(&self, reason: Reason) -> Problem {
        reason.problem(&self.uri, &self.request_id, self.describe)
    }

    /// The answer of an operation that has no implementation.
    pub fn not_implemented(&self) -> Answer {
        let detail = format!("{} is not implemented", self.operation.id);
        self.problem(Reason::NotImplemented).detail(detail).into()
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("operation", &self.operation.id)
            .field("request_id", &self.request_id)
            .field("path", &self.uri.path())
            .finish_non_exhaustive()
    }
}
