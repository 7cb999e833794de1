//! The start page: connection data, recent records, and buttons for common actions.

mod actions;
mod overview;
mod rows;

use axum::Router;
use axum::routing::{get, post};

use crate::admin::Control;

/// The path of the start page.
pub(super) const START: &str = "/";

pub(super) fn routes() -> Router<Control> {
    Router::new()
        .route(START, get(overview::show))
        .route("/start/clock", post(actions::advance))
        .route("/start/triggers", post(actions::trigger))
        .route("/start/snapshots", post(actions::take_snapshot))
        .route("/start/snapshots/{number}/restore", post(actions::restore))
        .route(
            "/start/snapshots/{number}/remove",
            post(actions::remove_snapshot),
        )
        .route("/start/reset", post(actions::reset))
        .route("/start/subscriptions/{id}/cancel", post(actions::cancel))
        .route("/start/notifications/{id}/replay", post(actions::replay))
}
