//! Extracts a form that was sent from a developer page.

use axum::RequestExt;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};

use super::fields::{Asked, Fields};
use super::frame::Frame;
use super::session::Session;
use crate::admin::Control;

/// The fields of a form that a logged-in visitor submits, and the tenant of that form.
pub(super) struct Submitted {
    pub(super) frame: Frame,
    pub(super) fields: Fields,
}

impl FromRequest<Control> for Submitted {
    type Rejection = Response;

    async fn from_request(mut request: Request, control: &Control) -> Result<Self, Response> {
        let session: Session = request.extract_parts_with_state(control).await?;
        let Ok(Asked(asked)) = request.extract_parts_with_state(control).await;
        let fields = Fields::from_request(request, control).await?;
        session
            .check(fields.raw("nonce"))
            .map_err(IntoResponse::into_response)?;
        let frame = Frame::of(control, &session, &asked, "").await?;
        Ok(Self { frame, fields })
    }
}
