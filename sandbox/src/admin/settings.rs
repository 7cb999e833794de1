//! Reads and changes the settings of a tenant.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::Control;
use super::json_body::Given;
use super::parameters::Of;
use super::refusal::Refused;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Settings {
    catalogue_binds: bool,
}

pub(super) async fn show(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<Json<Settings>, Refused> {
    let catalogue_binds = control.service.catalogue_binds(merchant).await?;
    Ok(Json(Settings { catalogue_binds }))
}

pub(super) async fn set(
    State(control): State<Control>,
    Of(merchant): Of,
    Given(wanted): Given<Settings>,
) -> Result<Json<Settings>, Refused> {
    let binds = wanted.catalogue_binds;
    control.service.bind_catalogue(merchant, binds).await?;
    Ok(Json(wanted))
}
