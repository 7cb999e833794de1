//! A refusal, as a problem.

use axum::response::{IntoResponse, Response};

use crate::domain::Rejection;
use crate::http::{problem, respond};
use crate::service::Failure;

/// Why there is no answer.
pub(super) struct Refused(Failure);

impl<E: Into<Failure>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        respond(&problem(self.0))
    }
}

/// Refuses with everything that was found, if anything was.
pub(super) fn all(found: Vec<Rejection>) -> Result<(), Refused> {
    Ok(Rejection::collected(found)?)
}
