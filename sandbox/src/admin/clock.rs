//! Reads and moves the clock of a tenant.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::Control;
use super::json_body::Given;
use super::parameters::Of;
use super::refusal::Refused;
use crate::domain::clock_goal::ClockGoal;
use crate::domain::{Code, Rejection};
use crate::store::timers::Timer;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Advance {
    by: Option<String>,
    to: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClockTime {
    now: String,
    ahead_ms: i64,
}

#[derive(Serialize)]
pub(super) struct Advanced {
    now: String,
    fired: Vec<Fired>,
}

#[derive(Serialize)]
struct Fired {
    at: String,
    kind: String,
    subject: String,
}

pub(super) async fn show(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<Json<ClockTime>, Refused> {
    let (now, ahead) = control.service.clock_and_lead(merchant).await?;
    Ok(Json(ClockTime {
        now: format!("{now:.3}"),
        ahead_ms: i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX),
    }))
}

pub(super) async fn advance(
    State(control): State<Control>,
    Of(merchant): Of,
    Given(request): Given<Advance>,
) -> Result<Json<Advanced>, Refused> {
    let goal = goal(&request)?;
    let advanced = control.service.move_clock(merchant, goal).await?;
    Ok(Json(Advanced {
        now: format!("{:.3}", advanced.to),
        fired: advanced.fired.into_iter().map(fired).collect(),
    }))
}

/// The goal of a move; `by` and `to` exclude each other.
fn goal(request: &Advance) -> Result<ClockGoal, Rejection> {
    let wrong = |pointer, detail| Err(Rejection::at(Code::ContractViolation, pointer, detail));
    match (&request.by, &request.to) {
        (Some(by), None) => ClockGoal::by(by),
        (None, Some(to)) => ClockGoal::to(to),
        (None, None) => wrong("/by", "either `by` or `to` is needed"),
        (Some(_), Some(_)) => wrong("/to", "`by` and `to` exclude each other"),
    }
}

fn fired(timer: Timer) -> Fired {
    Fired {
        at: format!("{:.3}", timer.due_at),
        kind: timer.kind,
        subject: timer.subject,
    }
}
