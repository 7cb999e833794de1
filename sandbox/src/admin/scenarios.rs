//! Lists, adds and removes lines of the script of outcomes.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::{Deserialize, Serialize};

use super::Control;
use super::json_body::Given;
use super::parameters::Of;
use super::refusal::{self, Refused};
use crate::domain::outcome::Outcome;
use crate::domain::{Code, Rejection};
use crate::store::scenarios::Line;

/// The most calls to which a line can apply.
const MOST: u32 = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ScenarioRequest {
    operation: Option<String>,
    payment_channel: Option<String>,
    outcome: String,
    times: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Scenario {
    number: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_channel: Option<String>,
    outcome: String,
    times: u32,
}

#[derive(Serialize)]
pub(super) struct ScenarioList {
    data: Vec<Scenario>,
}

pub(super) async fn list(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<Json<ScenarioList>, Refused> {
    let lines = control.service.scenarios(merchant).await?;
    let data = lines.into_iter().map(scenario).collect();
    Ok(Json(ScenarioList { data }))
}

pub(super) async fn add(
    State(control): State<Control>,
    Of(merchant): Of,
    Given(request): Given<ScenarioRequest>,
) -> Result<(StatusCode, Json<Scenario>), Refused> {
    let line = line(request)?;
    let number = control.service.add_scenario(merchant, line.clone()).await?;
    Ok((StatusCode::CREATED, Json(scenario((number, line)))))
}

pub(super) async fn clear(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<StatusCode, Refused> {
    control.service.clear_scenarios(merchant).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn line(request: ScenarioRequest) -> Result<Line, Refused> {
    let mut wrong = Vec::new();
    let mut refuse = |pointer, detail: String| {
        wrong.push(Rejection::at(Code::ContractViolation, pointer, detail));
    };
    let outcome = request.outcome.parse().unwrap_or_else(|error| {
        refuse("/outcome", format!("{error}"));
        Outcome::ACCEPT
    });
    let times = request.times.unwrap_or(1);
    if !(1..=MOST).contains(&times) {
        refuse("/times", format!("a line applies to 1 to {MOST} calls"));
    }
    refusal::all(wrong)?;
    Ok(Line {
        operation: request.operation,
        payment_channel: request.payment_channel,
        outcome,
        times,
    })
}

fn scenario((number, line): (i64, Line)) -> Scenario {
    Scenario {
        number,
        operation: line.operation,
        payment_channel: line.payment_channel,
        outcome: line.outcome.to_string(),
        times: line.times,
    }
}
