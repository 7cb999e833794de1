//! The inspector: requests and notifications, behind the admin key.

mod frame;
mod layout;
mod login;
mod notifications;
mod requests;
mod session;

use axum::Router;
use axum::response::Redirect;
use axum::routing::{get, post};

use crate::admin::Control;

/// Where the inspector is.
const HOME: &str = "/_sandbox/inspector";
/// Its first page.
const FIRST: &str = "/_sandbox/inspector/requests";

pub(super) fn routes() -> Router<Control> {
    Router::new()
        .route(HOME, get(async || Redirect::to(FIRST)))
        .route(
            "/_sandbox/inspector/login",
            get(login::form).post(login::enter),
        )
        .route("/_sandbox/inspector/logout", post(login::leave))
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
