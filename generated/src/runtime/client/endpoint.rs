//! An operation as the client sees it.

use serde::Serialize;

use super::super::answer::Answer;
use super::super::json::Unreadable;
use super::super::operation::Operation;

/// An operation as the client sees it: what it takes, and what its answers mean.
pub trait Endpoint: Send + 'static {
    /// Path, query, header and cookie parameters.
    type Parameters: Serialize + Send;
    /// The body of the documented successes.
    type Success;
    /// The documented refusals, one variant for each status.
    type Error;

    /// What the document says about the operation.
    const OPERATION: &'static Operation;

    /// Reads an answer.
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable>;
}

/// What an answer means.
#[derive(Debug)]
pub enum Outcome<S, E> {
    /// A documented success.
    Success(S),
    /// A documented refusal.
    Refused(E),
    /// A status or a media type that the document does not have.
    Undocumented,
}
