//! Lists the latest exchanges of a tenant.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Control;
use super::parameters::{Of, Parameters};
use super::refusal::Refused;
use crate::exchanges::{Exchange, Filter, Message};

#[derive(Serialize)]
struct Header {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Half {
    headers: Vec<Header>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    number: u64,
    at: String,
    took_micros: u64,
    request_id: String,
    method: String,
    target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<u64>,
    request: Half,
    answer: Half,
}

#[derive(Serialize)]
pub(super) struct ExchangeList {
    data: Vec<Shown>,
}

pub(super) async fn list(
    State(control): State<Control>,
    Of(merchant): Of,
    parameters: Parameters,
) -> Result<Json<ExchangeList>, Refused> {
    let limit = usize::try_from(parameters.limit()?).unwrap_or(usize::MAX);
    let filter = Filter {
        operation: parameters.text("operation"),
        method: parameters.text("method"),
        status: parameters.text("status"),
        text: parameters.text("text"),
    };
    let found = control.instruments.log.find(merchant, &filter, limit);
    let data = found.iter().map(shown).collect();
    Ok(Json(ExchangeList { data }))
}

fn shown(exchange: &Arc<Exchange>) -> Shown {
    Shown {
        number: exchange.number,
        at: format!("{:.3}", exchange.at),
        took_micros: u64::try_from(exchange.took.as_micros()).unwrap_or(u64::MAX),
        request_id: exchange.request_id.clone(),
        method: exchange.method.clone(),
        target: exchange.target.clone(),
        operation: exchange.operation,
        status: exchange.status,
        fault: exchange.fault,
        request: half(&exchange.request),
        answer: half(&exchange.answer),
    }
}

fn half(message: &Message) -> Half {
    let headers = message.headers.iter().cloned();
    Half {
        headers: headers
            .map(|(name, value)| Header { name, value })
            .collect(),
        body: message.body.clone(),
        note: message.note.clone(),
    }
}
