//! The inspector: shows the exchanges and notifications of a tenant.

mod layout;
mod notifications;
mod requests;

use axum::Router;
use axum::response::Redirect;
use axum::routing::{get, post};

use crate::admin::Control;

/// The path of the inspector.
const HOME: &str = "/_sandbox/inspector";
/// The path of its first page.
const FIRST: &str = "/_sandbox/inspector/requests";

pub(super) fn routes() -> Router<Control> {
    Router::new()
        .route(HOME, get(async || Redirect::to(FIRST)))
        .route(FIRST, get(requests::list))
        .route("/_sandbox/inspector/requests/{number}", get(requests::one))
        .route(
            "/_sandbox/inspector/notifications",
            get(notifications::list),
        )
        .route(
            "/_sandbox/inspector/notifications/{id}",
            get(notifications::one),
        )
        .route(
            "/_sandbox/inspector/notifications/{id}/replay",
            post(notifications::replay),
        )
}
