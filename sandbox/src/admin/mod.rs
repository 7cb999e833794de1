//! The control interface, `/_sandbox`: described by `sandbox/admin.yaml`, behind a key of its own.

mod audit;
mod clock;
mod faults;
mod json_body;
mod key;
mod ledger;
mod parameters;
mod refusal;
mod requests;
mod scenarios;
mod settings;
mod snapshots;
mod tenants;
mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post};
use http::StatusCode;

use crate::http::bound;
use crate::instruments::Instruments;
use crate::service::Service;

pub use key::AdminKey;

/// What is controlled, and who may do it.
#[derive(Clone, Debug)]
pub struct Control {
    /// The commands.
    pub service: Arc<Service>,
    /// What watches and disturbs requests.
    pub instruments: Arc<Instruments>,
    /// The key.
    pub key: AdminKey,
}

/// Every path of the control interface.
pub fn router(control: Control) -> Router {
    let routes = Router::new()
        .route("/tenants", get(tenants::list).post(tenants::create))
        .route("/reset", post(tenants::reset))
        .route("/snapshots", get(snapshots::list).post(snapshots::take))
        .route("/snapshots/{number}/restore", post(snapshots::restore))
        .route("/clock", get(clock::tell))
        .route("/clock/advance", post(clock::advance))
        .route(
            "/scenarios",
            get(scenarios::list)
                .post(scenarios::add)
                .delete(scenarios::clear),
        )
        .route(
            "/faults",
            get(faults::list).post(faults::add).delete(faults::clear),
        )
        .route("/faults/{number}", delete(faults::remove))
        .route("/requests", get(requests::list))
        .route("/webhooks", get(webhooks::list))
        .route("/webhooks/{id}/replay", post(webhooks::replay))
        .route(
            "/webhooks/faults",
            get(webhooks::faults).put(webhooks::set_faults),
        )
        .route(
            "/webhooks/secrets",
            get(webhooks::secrets).put(webhooks::set_secret),
        )
        .route("/settings", get(settings::show).put(settings::set))
        .route("/ledger", get(ledger::show))
        .route("/audit", get(audit::run))
        .fallback(async || StatusCode::NOT_FOUND)
        .layer(from_fn(bound))
        .layer(from_fn_with_state(control.clone(), key::require))
        .with_state(control);
    Router::new().nest("/_sandbox", routes)
}
