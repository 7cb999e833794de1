//! The errors of a call: every result but a documented success.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use http::{HeaderMap, StatusCode, header};

use super::super::answer::Answer;
#[cfg(feature = "streams")]
use super::super::byte_stream::StreamError;
use super::super::checked::Broken;
use super::super::constraint::Violation;
use super::super::json::Unreadable;
use super::clock::{Clock, SystemClock};
use super::refusal::{Explain, Failed, Problem};
use super::response::Response;
use super::retry_after;

/// Why a call has no documented success. `E` has the documented refusals of the operation.
#[derive(Debug)]
pub enum Error<E> {
    /// A documented refusal.
    Refused(Box<Response<E>>),
    /// An answer with an undocumented status or media type.
    Unexpected(Box<UnexpectedError>),
    /// A documented answer with a body that does not have the documented type.
    Decode(Box<DecodeError>),
    /// A page of a list that is not the last one, but does not lead to a next page.
    #[cfg(feature = "paging")]
    Paging(Box<PagingError>),
    /// No answer, or an incomplete one.
    Transport(Box<TransportError>),
    /// The request could not be built; nothing was sent.
    Request(RequestError),
}

/// An answer with an undocumented status or media type. It dereferences to [`Answer`].
#[derive(Debug)]
pub struct UnexpectedError {
    /// The answer as received.
    pub answer: Answer,
    /// The id the request was sent with, for operations that declare one.
    pub request_id: Option<String>,
}

/// A documented answer with a body that does not have the documented type.
#[derive(Debug)]
pub struct DecodeError {
    /// The answer as received.
    pub answer: Answer,
    /// The id the request was sent with, for operations that declare one.
    pub request_id: Option<String>,
    /// The reason, with a JSON pointer into the body.
    pub reason: Unreadable,
}

/// A page of a list that is not the last one, but does not lead to a next page.
#[cfg(feature = "paging")]
#[derive(Debug)]
pub struct PagingError {
    /// The answer as received.
    pub answer: Answer,
    /// The id the request was sent with, for operations that declare one.
    pub request_id: Option<String>,
    /// Why it leads to no next page.
    pub reason: String,
}

/// No answer, or an incomplete one.
#[derive(Debug)]
pub struct TransportError {
    /// The id the request was sent with, for operations that declare one.
    pub request_id: Option<String>,
    /// The cause of the failure.
    pub source: Cause,
}

/// Why there is no answer, or an incomplete one.
#[derive(Debug)]
pub enum Cause {
    /// The connection failed. The address, which may hold credentials, is left out.
    Connection(reqwest::Error),
    /// The server sent nothing for this long.
    #[cfg(feature = "streams")]
    Silence(Duration),
    /// The body of the answer is not whole.
    #[cfg(feature = "streams")]
    Body(StreamError),
}

/// The request could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// The problem of the request.
    pub message: String,
    /// The constraints that its parameters or its body break; empty for any other problem.
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
        self.head().map(|(status, _)| status)
    }

    /// The headers of the answer, if there was one.
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.head().map(|(_, headers)| headers)
    }

    fn head(&self) -> Option<(StatusCode, &HeaderMap)> {
        let answer = match self {
            Self::Refused(response) => return Some((response.status, &response.headers)),
            Self::Unexpected(error) => &error.answer,
            Self::Decode(error) => &error.answer,
            #[cfg(feature = "paging")]
            Self::Paging(error) => &error.answer,
            Self::Transport(_) | Self::Request(_) => return None,
        };
        Some((answer.status, &answer.headers))
    }

    /// The id that the request was sent with, for operations that declare one.
    pub fn request_id(&self) -> Option<&str> {
        let id = match self {
            Self::Refused(response) => &response.request_id,
            Self::Unexpected(error) => &error.request_id,
            Self::Decode(error) => &error.request_id,
            #[cfg(feature = "paging")]
            Self::Paging(error) => &error.request_id,
            Self::Transport(error) => &error.request_id,
            Self::Request(_) => return None,
        };
        id.as_deref()
    }

    /// How long the server asks to wait before the next attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        retry_after::read(self.headers()?, SystemClock.now())
    }

    /// Whether the timeout passed before the whole answer was received.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Transport(error) if error.source.is_timeout())
    }
}

impl<E: Explain> Error<E> {
    /// The problem that the body of the refusal describes, if it describes one.
    pub fn problem(&self) -> Option<Problem<'_>> {
        match self {
            Self::Refused(response) => response.body.problem(),
            Self::Unexpected(error) => Problem::of(&error.answer),
            _ => None,
        }
    }
}

impl<E: Explain + fmt::Debug> Failed for Error<E> {
    fn status(&self) -> Option<StatusCode> {
        self.status()
    }

    fn headers(&self) -> Option<&HeaderMap> {
        self.headers()
    }

    fn request_id(&self) -> Option<&str> {
        self.request_id()
    }

    fn problem(&self) -> Option<Problem<'_>> {
        self.problem()
    }

    fn retry_after(&self) -> Option<Duration> {
        self.retry_after()
    }

    fn is_timeout(&self) -> bool {
        self.is_timeout()
    }
}

impl Deref for UnexpectedError {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl Cause {
    /// A failure of the connection; its address, which may hold credentials, is left out.
    pub(super) fn of(error: reqwest::Error) -> Self {
        Self::Connection(error.without_url())
    }

    /// Whether the time was up.
    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Connection(error) => error.is_timeout(),
            #[cfg(feature = "streams")]
            Self::Silence(_) => true,
            #[cfg(feature = "streams")]
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

impl<E: Explain> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(response) => {
                write!(f, "the server answered {}", response.status)?;
                explain(self.problem(), f)
            }
            Self::Unexpected(error) => {
                let status = error.answer.status;
                write!(
                    f,
                    "the server answered {status}, which is not documented so"
                )?;
                explain(self.problem(), f)
            }
            Self::Decode(error) => {
                write!(
                    f,
                    "the answer {} is not as documented: {}",
                    error.answer.status, error.reason
                )?;
                received(error, f)
            }
            #[cfg(feature = "paging")]
            Self::Paging(error) => write!(f, "the list cannot be read on: {}", error.reason),
            Self::Transport(error) => write!(f, "no answer: {}", error.source),
            Self::Request(error) => error.fmt(f),
        }
    }
}

/// Describes a malformed body: that it is empty, or its media type.
fn received(error: &DecodeError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !error.reason.malformed {
        return Ok(());
    }
    if error.answer.body.is_empty() {
        return f.write_str("; the body is empty");
    }
    let media_type = error.answer.headers.get(header::CONTENT_TYPE);
    match media_type.and_then(|value| value.to_str().ok()) {
        Some(media_type) => write!(f, "; the body is `{media_type}`"),
        None => f.write_str("; the body has no media type"),
    }
}

/// Writes the explanation of the answer after its status.
fn explain(problem: Option<Problem<'_>>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match problem.map(|problem| problem.to_string()) {
        Some(text) if !text.is_empty() => write!(f, ": {text}"),
        _ => Ok(()),
    }
}

impl<E: Explain + fmt::Debug> std::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Decode(error) => Some(&error.reason),
            Self::Transport(error) => Some(&error.source),
            Self::Request(error) => Some(error),
            _ => None,
        }
    }
}

/// Includes the sources of the error, because its outermost message says little.
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
            #[cfg(feature = "streams")]
            Self::Silence(silence) => write!(f, "nothing came for {silence:?}"),
            #[cfg(feature = "streams")]
            Self::Body(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Connection(error) => Some(error),
            #[cfg(feature = "streams")]
            Self::Silence(_) => None,
            #[cfg(feature = "streams")]
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
