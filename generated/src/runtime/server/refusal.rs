//! Why a request does not reach the implementation.

use http::Uri;

use super::super::byte_stream::StreamError;
use super::super::problem::{Fault, Problem};

/// Why a request does not reach the implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No operation has this path.
    UnknownPath,
    /// No operation of this path has this method.
    UnknownMethod,
    /// The body is larger than the server accepts.
    TooLarge,
    /// The body is of a media type that the operation does not accept.
    MediaType,
    /// The body or a parameter cannot be read.
    Unreadable,
    /// The body or a parameter breaks its schema.
    Contract,
    /// The signature is missing, wrong, or of another time.
    Signature,
    /// The operation has no implementation.
    NotImplemented,
}

/// Completes the problems of a server with what its document says: a type, a code.
pub(super) type Describe = fn(Reason, &mut Problem);

/// A request that does not reach the implementation.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The kind of refusal.
    pub reason: Reason,
    /// What it is about, in words.
    pub detail: String,
    /// What exactly is wrong.
    pub faults: Vec<Fault>,
}

impl Reason {
    /// The status of the answer.
    pub const fn status(self) -> u16 {
        match self {
            Self::UnknownPath => 404,
            Self::UnknownMethod => 405,
            Self::TooLarge => 413,
            Self::MediaType => 415,
            Self::Unreadable => 400,
            Self::Contract => 422,
            Self::Signature => 403,
            Self::NotImplemented => 501,
        }
    }

    /// A problem with the request of this address and id.
    pub(super) fn problem(self, uri: &Uri, request_id: &str, describe: Describe) -> Problem {
        let mut problem = Problem::new(self.status(), self.title());
        problem.instance = Some(uri.path().to_owned());
        problem.request_id = Some(request_id.to_owned());
        describe(self, &mut problem);
        problem
    }

    /// The status in words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::UnknownPath => "Not Found",
            Self::UnknownMethod => "Method Not Allowed",
            Self::TooLarge => "Content Too Large",
            Self::MediaType => "Unsupported Media Type",
            Self::Unreadable => "Bad Request",
            Self::Contract => "Unprocessable Content",
            Self::Signature => "Forbidden",
            Self::NotImplemented => "Not Implemented",
        }
    }
}

impl Refusal {
    /// A refusal without particulars.
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: detail.into(),
            faults: Vec::new(),
        }
    }

    /// The refusal of a body with more bytes than these.
    pub(super) fn too_large(limit: usize) -> Self {
        Self::new(Reason::TooLarge, format!("a body may have {limit} bytes"))
    }

    pub(super) fn with(reason: Reason, detail: &str, faults: Vec<Fault>) -> Self {
        Self {
            reason,
            detail: detail.to_owned(),
            faults,
        }
    }
}

impl From<StreamError> for Refusal {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::TooLarge { limit } => Self::too_large(limit),
            _ => Self::new(Reason::Unreadable, "the body broke off"),
        }
    }
}
