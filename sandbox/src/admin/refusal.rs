//! Converts failures to problem responses.

use axum::response::{IntoResponse, Response};

use crate::domain::Rejection;
use crate::http::{problem, respond};
use crate::service::Failure;

/// A failed request.
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

/// Refuses with all mistakes; `Ok` when there are none.
pub(super) fn all(found: Vec<Rejection>) -> Result<(), Refused> {
    Ok(Rejection::collected(found)?)
}
