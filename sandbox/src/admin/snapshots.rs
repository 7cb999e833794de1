//! Takes, lists, restores and removes snapshots of a tenant.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::{Deserialize, Serialize};

use super::Control;
use super::json_body::Optional;
use super::parameters::{Number, Of};
use super::refusal::Refused;
use crate::store::snapshots;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SnapshotRequest {
    name: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Snapshot {
    number: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    created_at: String,
}

#[derive(Serialize)]
pub(super) struct SnapshotList {
    data: Vec<Snapshot>,
}

pub(super) async fn list(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<Json<SnapshotList>, Refused> {
    let all = control.service.snapshots(merchant).await?;
    let data = all.into_iter().map(shown).collect();
    Ok(Json(SnapshotList { data }))
}

pub(super) async fn take(
    State(control): State<Control>,
    Of(merchant): Of,
    Optional(request): Optional<SnapshotRequest>,
) -> Result<(StatusCode, Json<Snapshot>), Refused> {
    let taken = control
        .service
        .take_snapshot(merchant, request.name)
        .await?;
    Ok((StatusCode::CREATED, Json(shown(taken))))
}

pub(super) async fn restore(
    State(control): State<Control>,
    Number(number): Number,
    Of(merchant): Of,
) -> Result<StatusCode, Refused> {
    control.service.restore(merchant, number).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn remove(
    State(control): State<Control>,
    Number(number): Number,
    Of(merchant): Of,
) -> Result<StatusCode, Refused> {
    control.service.remove_snapshot(merchant, number).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn shown(snapshot: snapshots::Snapshot) -> Snapshot {
    Snapshot {
        number: snapshot.number,
        name: snapshot.name,
        created_at: format!("{:.3}", snapshot.taken_at),
    }
}
