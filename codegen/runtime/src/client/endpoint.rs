//! An operation as the client sees it.

use serde::Serialize;

use super::super::answer::Answer;
use super::super::constraint::Validate;
use super::super::json::Unreadable;
use super::super::operation::Operation;
#[cfg(feature = "streams")]
use super::incoming::Incoming;
use super::refusal::Explain;

/// An operation as the client sees it: what it takes, and what its answers mean.
pub trait Endpoint: Send + 'static {
    /// Path, query, header and cookie parameters.
    type Parameters: Serialize + Validate + Send;
    /// The body of the documented successes.
    type Success;
    /// The documented refusals, one variant for each status.
    type Error: Explain;

    /// What the document says about the operation.
    const OPERATION: &'static Operation;

    /// Reads an answer.
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable>;
}

/// An operation with a success whose body can be taken as it comes.
#[cfg(feature = "streams")]
pub trait Streamed: Endpoint {
    /// The documented successes; those that are streams are not read yet.
    type Stream: Send;

    /// Takes the body of an answer that is a stream, and gives back that of any other.
    fn open(answer: &Answer, body: Incoming) -> Result<Self::Stream, Incoming>;

    /// A success that was read as a whole.
    fn whole(success: Self::Success) -> Self::Stream;
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
