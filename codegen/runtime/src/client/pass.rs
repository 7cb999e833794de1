//! The token that a request was sent with.

use http::StatusCode;

use super::super::answer::Answer;
use super::error::Cause;
use super::token::Tokens;

/// The token that a request was sent with, and where to get another one.
pub(super) struct Pass {
    pub(super) tokens: Tokens,
    pub(super) token: String,
}

/// Whether the server does not take the credentials.
pub(super) fn is_refused(result: Result<&Answer, &Cause>) -> bool {
    result.is_ok_and(|answer| answer.status == StatusCode::UNAUTHORIZED)
}
