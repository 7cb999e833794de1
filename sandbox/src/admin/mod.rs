//! The control interface, `/_sandbox`: described by `sandbox/admin.yaml`, protected by the admin
//! key.

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
mod triggers;
mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post};
use http::StatusCode;

use crate::http::{Calls, bound};
use crate::instruments::Instruments;
use crate::service::{Failure, Service};
use crate::store::Merchant;

pub use key::AdminKey;

/// The state of the control interface.
#[derive(Clone, Debug)]
pub struct Control {
    /// The commands.
    pub service: Arc<Service>,
    /// Calls operations for a tenant.
    pub calls: Calls,
    /// The recorded exchanges and the injected faults.
    pub instruments: Arc<Instruments>,
    /// The admin key.
    pub key: AdminKey,
}

impl Control {
    /// Resets a tenant: its records, its faults and its recorded exchanges.
    pub(crate) async fn reset(&self, merchant: Merchant) -> Result<(), Failure> {
        self.service.reset(merchant).await?;
        self.instruments.faults.disarm(merchant, None);
        self.instruments.log.clear(merchant);
        Ok(())
    }
}

/// The routes of the control interface.
pub fn router(control: Control) -> Router {
    let routes = Router::new()
        .route("/tenants", get(tenants::list).post(tenants::create))
        .route("/reset", post(tenants::reset))
        .route("/snapshots", get(snapshots::list).post(snapshots::take))
        .route("/snapshots/{number}", delete(snapshots::remove))
        .route("/snapshots/{number}/restore", post(snapshots::restore))
        .route("/clock", get(clock::show))
        .route("/clock/advance", post(clock::advance))
        .route("/requests", get(requests::list))
        .route("/ledger", get(ledger::show))
        .route("/audit", get(audit::run))
        .merge(behaviour())
        .merge(notifications())
        .fallback(async || StatusCode::NOT_FOUND)
        .layer(from_fn(bound))
        .layer(from_fn_with_state(control.clone(), key::require))
        .with_state(control);
    Router::new().nest("/_sandbox", routes)
}

/// The routes that change the behaviour of the sandbox or trigger events.
fn behaviour() -> Router<Control> {
    let script = get(scenarios::list).post(scenarios::add);
    let present = get(faults::list).post(faults::add);
    Router::new()
        .route("/settings", get(settings::show).put(settings::set))
        .route("/triggers", get(triggers::list).post(triggers::run))
        .route("/scenarios", script.delete(scenarios::clear))
        .route("/faults", present.delete(faults::clear))
        .route("/faults/{number}", delete(faults::remove))
}

fn notifications() -> Router<Control> {
    let faults = get(webhooks::faults).put(webhooks::set_faults);
    let secrets = get(webhooks::secrets).put(webhooks::set_secret);
    Router::new()
        .route("/webhooks", get(webhooks::list))
        .route("/webhooks/{id}/signed", get(webhooks::signed))
        .route("/webhooks/{id}/replay", post(webhooks::replay))
        .route("/webhooks/faults", faults)
        .route("/webhooks/secrets", secrets)
}
