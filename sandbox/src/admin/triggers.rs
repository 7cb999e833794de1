//! Lists and runs triggers.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Control;
use super::json_body::Given;
use super::parameters::Of;
use super::refusal::Refused;
use crate::domain::{Code, Rejection};
use crate::triggers::Trigger;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TriggerRequest {
    event: String,
    notify: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Triggered {
    event: &'static str,
    answer: Value,
}

#[derive(Serialize)]
pub(super) struct Listed {
    event: &'static str,
    summary: &'static str,
}

#[derive(Serialize)]
pub(super) struct TriggerList {
    data: Vec<Listed>,
}

pub(super) async fn list() -> Json<TriggerList> {
    let data = Trigger::all().iter().map(|trigger| Listed {
        event: &trigger.event,
        summary: &trigger.summary,
    });
    Json(TriggerList {
        data: data.collect(),
    })
}

pub(super) async fn run(
    State(control): State<Control>,
    Of(merchant): Of,
    Given(TriggerRequest { event, notify }): Given<TriggerRequest>,
) -> Result<(StatusCode, Json<Triggered>), Refused> {
    let refuse = |pointer, detail| Rejection::at(Code::ContractViolation, pointer, detail);
    let Some(trigger) = Trigger::named(&event) else {
        let detail = "there is no trigger for this event; `GET /_sandbox/triggers` lists them";
        return Err(refuse("/event", detail.to_owned()).into());
    };
    let answer = trigger.run(&control.calls, merchant, notify.as_deref());
    let answer = answer
        .await
        .map_err(|refused| refuse("/event", refused.to_string()))?;
    let event = &trigger.event;
    Ok((StatusCode::CREATED, Json(Triggered { event, answer })))
}
