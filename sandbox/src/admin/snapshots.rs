//! Snapshots of a tenant.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;

use super::Control;
use super::parameters::{Number, Of};
use super::refusal::Refused;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Snapshot {
    number: i64,
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
    let data = all.into_iter().map(snapshot).collect();
    Ok(Json(SnapshotList { data }))
}

pub(super) async fn take(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<(StatusCode, Json<Snapshot>), Refused> {
    let taken = control.service.take_snapshot(merchant).await?;
    let all = control.service.snapshots(merchant).await?;
    let at = { all.into_iter() }.find(|(number, _)| *number == taken);
    let at = at.map_or_else(|| control.service.machine_time(), |(_, at)| at);
    Ok((StatusCode::CREATED, Json(snapshot((taken, at)))))
}

pub(super) async fn restore(
    State(control): State<Control>,
    Number(number): Number,
    Of(merchant): Of,
) -> Result<StatusCode, Refused> {
    control.service.restore(merchant, number).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn snapshot((number, at): (i64, Timestamp)) -> Snapshot {
    Snapshot {
        number,
        created_at: format!("{at:.3}"),
    }
}
