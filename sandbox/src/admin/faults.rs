//! Lists, adds and removes injected faults.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::{Deserialize, Serialize};

use super::Control;
use super::json_body::Given;
use super::parameters::{Number, Of};
use super::refusal::{self, Refused};
use crate::contract::Contract;
use crate::domain::fault::{Armed, Effect, Fault, Matching};
use crate::domain::{Code, Rejection};
use crate::faults::MOST;

/// The longest latency of a fault, in milliseconds.
const LONGEST_MS: u64 = 60_000;

#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Match {
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Drop {
    Request,
    Answer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct FaultRequest {
    r#match: Option<Match>,
    latency_ms: Option<u64>,
    status: Option<u16>,
    drop: Option<Drop>,
    p: Option<f64>,
    seed: Option<u64>,
    times: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    number: u64,
    r#match: Match,
    latency_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drop: Option<Drop>,
    p: f64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<u64>,
    matched: u64,
    hit: u64,
}

#[derive(Serialize)]
pub(super) struct FaultList {
    data: Vec<Shown>,
}

pub(super) async fn list(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<Json<FaultList>, Refused> {
    let all = control.instruments.faults.all(merchant);
    let data = all.into_iter().map(shown).collect();
    Ok(Json(FaultList { data }))
}

pub(super) async fn add(
    State(control): State<Control>,
    Of(merchant): Of,
    Given(request): Given<FaultRequest>,
) -> Result<(StatusCode, Json<Shown>), Refused> {
    let fault = fault(request)?;
    let number = control.instruments.faults.arm(merchant, fault.clone());
    let number = number.ok_or_else(|| {
        let detail = format!("a tenant has {MOST} faults at most");
        Rejection::new(Code::IllegalState, detail)
    })?;
    let shown = shown((number, Armed::new(fault)));
    Ok((StatusCode::CREATED, Json(shown)))
}

pub(super) async fn clear(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<StatusCode, Refused> {
    control.instruments.faults.disarm(merchant, None);
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn remove(
    State(control): State<Control>,
    Number(number): Number,
    Of(merchant): Of,
) -> Result<StatusCode, Refused> {
    let number = u64::try_from(number).unwrap_or_default();
    match control.instruments.faults.disarm(merchant, Some(number)) {
        0 => {
            let detail = "there is no fault with this number";
            Err(Rejection::new(Code::UnknownRecord, detail).into())
        }
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

fn fault(request: FaultRequest) -> Result<Fault, Refused> {
    let matching = request.r#match.unwrap_or_default();
    let known = |id: &String| Contract::bundled().operations().by_id(id).is_some();
    let latency = request.latency_ms.unwrap_or(0);
    let per_million = per_million(request.p.unwrap_or(1.0));
    let rules = [
        (
            matching.operation.as_ref().is_none_or(known),
            "/match/operation",
            "the interface has no operation with this id",
        ),
        (
            latency <= LONGEST_MS,
            "/latencyMs",
            "a request waits for a minute at most",
        ),
        (
            request
                .status
                .is_none_or(|status| (400..600).contains(&status)),
            "/status",
            "the status of an error is 400 to 599",
        ),
        (
            request.status.is_none() || request.drop.is_none(),
            "/drop",
            "a fault has a status or drops the connection, not both",
        ),
        (per_million.is_some(), "/p", "a share is 0 to 1"),
        (
            request.times != Some(0),
            "/times",
            "a fault hits one request at least",
        ),
    ];
    let broken = rules.into_iter().filter(|(holds, _, _)| !holds);
    let broken =
        broken.map(|(_, pointer, detail)| Rejection::at(Code::ContractViolation, pointer, detail));
    refusal::all(broken.collect())?;
    let dropped = request.drop.map(|drop| match drop {
        Drop::Request => Effect::DropRequest,
        Drop::Answer => Effect::DropAnswer,
    });
    Ok(Fault {
        matching: Matching {
            operation: matching.operation,
            method: matching.method.map(|method| method.to_uppercase()),
            path: matching.path,
        },
        latency: Duration::from_millis(latency),
        effect: request.status.map(Effect::Status).or(dropped),
        per_million: per_million.unwrap_or_default(),
        seed: request.seed.unwrap_or(0),
        times: request.times,
    })
}

/// Converts a probability between 0 and 1 to whole millionths; `None` when it is out of range.
fn per_million(share: f64) -> Option<u32> {
    let digits = format!("{share:.6}").replace('.', "");
    (0.0..=1.0).contains(&share).then(|| digits.parse().ok())?
}

fn shown((number, armed): (u64, Armed)) -> Shown {
    let Armed {
        fault,
        matched,
        hit,
    } = armed;
    let (mut status, mut drop) = (None, None);
    match fault.effect {
        None => {}
        Some(Effect::Status(code)) => status = Some(code),
        Some(Effect::DropRequest) => drop = Some(Drop::Request),
        Some(Effect::DropAnswer) => drop = Some(Drop::Answer),
    }
    Shown {
        number,
        r#match: Match {
            operation: fault.matching.operation,
            method: fault.matching.method,
            path: fault.matching.path,
        },
        latency_ms: u64::try_from(fault.latency.as_millis()).unwrap_or(u64::MAX),
        status,
        drop,
        p: f64::from(fault.per_million) / f64::from(Fault::ALWAYS),
        seed: fault.seed,
        times: fault.times,
        matched,
        hit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_is_read_in_millionths() {
        let table = [
            (0.0, Some(0)),
            (0.5, Some(500_000)),
            (0.000_001, Some(1)),
            (1.0, Some(1_000_000)),
            (1.1, None),
            (-0.1, None),
            (f64::NAN, None),
        ];
        for (share, expected) in table {
            assert_eq!(per_million(share), expected, "{share}");
        }
    }
}
