//! Why a call gave no documented success.

use std::fmt;
use std::time::Duration;

use http::StatusCode;

use super::super::answer::Answer;
use super::super::byte_stream::StreamError;
use super::super::checked::Broken;
use super::super::constraint::Violation;
use super::super::json::Unreadable;
use super::response::Response;

/// Why a call gave no documented success. `E` has the documented refusals of the operation.
#[derive(Debug)]
pub enum Error<E> {
    /// A documented refusal.
    Refused(Box<Response<E>>),
    /// An answer with a status or a media type that the document does not have.
    Unexpected(Box<Answer>),
    /// A documented answer whose body is not as documented.
    Decode(Box<DecodeError>),
    /// A page of a list that leads to no next one, though it is not the last.
    Paging(Box<PagingError>),
    /// No answer, or not a whole one.
    Transport(Box<TransportError>),
    /// The request could not be put together; nothing was sent.
    Request(RequestError),
}

/// A documented answer whose body is not as documented.
#[derive(Debug)]
pub struct DecodeError {
    /// The answer as it came.
    pub answer: Answer,
    /// Where in the body, as a JSON pointer, and why.
    pub reason: Unreadable,
}

/// A page of a list that leads to no next one, though it is not the last.
#[derive(Debug)]
pub struct PagingError {
    /// The answer as it came.
    pub answer: Answer,
    /// Why it leads to no next page.
    pub reason: String,
}

/// No answer, or not a whole one.
#[derive(Debug)]
pub struct TransportError {
    /// The id the request was sent with, for operations that declare one.
    pub request_id: Option<String>,
    /// The failure underneath.
    pub source: Cause,
}

/// Why there is no answer, or not a whole one.
#[derive(Debug)]
pub enum Cause {
    /// The connection failed. The address, which may hold credentials, is left out.
    Connection(reqwest::Error),
    /// Nothing came for so long.
    Silence(Duration),
    /// The body of the answer is not whole.
    Body(StreamError),
}

/// The request could not be put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// What is wrong with it.
    pub message: String,
    /// The constraints that its parameters or its body break, where that is what is wrong.
    pub violations: Vec<Violation>,
}

impl<E> Error<E> {
    /// The documented refusal, if it is one.
    pub fn refusal(&self) -> Option<&E> {
        match self {
            Self::Refused(response) => Some(&response.body),
            _ => None,
        }
    }

    /// The status of the answer, if there was one.
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Refused(response) => Some(response.status),
            Self::Unexpected(answer) => Some(answer.status),
            Self::Decode(error) => Some(error.answer.status),
            Self::Paging(error) => Some(error.answer.status),
            Self::Transport(_) | Self::Request(_) => None,
        }
    }

    /// Whether the time was up before the whole answer was there.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Transport(error) if error.source.is_timeout())
    }
}

impl Cause {
    /// Whether the time was up.
    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Connection(error) => error.is_timeout(),
            Self::Silence(_) => true,
            Self::Body(_) => false,
        }
    }
}

impl RequestError {
    pub(super) fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            violations: Vec::new(),
        }
    }

    pub(super) fn broken(part: &str, violations: Vec<Violation>) -> Self {
        let broken = Broken { violations };
        Self {
            message: format!("{part}: {broken}"),
            violations: broken.violations,
        }
    }
}

impl<E> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(response) => write!(f, "the server answered {}", response.status),
            Self::Unexpected(answer) => {
                write!(
                    f,
                    "the server answered {}, which is not documented so",
                    answer.status
                )
            }
            Self::Decode(error) => {
                write!(
                    f,
                    "the answer {} is not as documented: {}",
                    error.answer.status, error.reason
                )
            }
            Self::Paging(error) => write!(f, "the list cannot be read on: {}", error.reason),
            Self::Transport(error) => write!(f, "no answer: {}", error.source),
            Self::Request(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug> std::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Decode(error) => Some(&error.reason),
            Self::Transport(error) => Some(&error.source),
            Self::Request(error) => Some(error),
            Self::Refused(_) | Self::Unexpected(_) | Self::Paging(_) => None,
        }
    }
}

/// With what is underneath, because the outermost words say little.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(error) => {
                error.fmt(f)?;
                let mut cause = std::error::Error::source(error);
                while let Some(inner) = cause {
                    write!(f, ": {inner}")?;
                    cause = inner.source();
                }
                Ok(())
            }
            Self::Silence(silence) => write!(f, "nothing came for {silence:?}"),
            Self::Body(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Connection(error) => Some(error),
            Self::Silence(_) => None,
            Self::Body(error) => Some(error),
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the request cannot be sent: {}", self.message)
    }
}

impl std::error::Error for RequestError {}

impl<E> From<RequestError> for Error<E> {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl<E> From<TransportError> for Error<E> {
    fn from(error: TransportError) -> Self {
        Self::Transport(Box::new(error))
    }
}
