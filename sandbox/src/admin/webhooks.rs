//! Notifications: lists and resends them, and sets delivery faults and signing secrets.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Control;
use super::json_body::Given;
use super::parameters::{Of, Parameters};
use super::refusal::Refused;
use crate::contract::Contract;
use crate::domain::notification::{Faults, Reply};
use crate::domain::signature::{self, Secret};
use crate::domain::{Code, Rejection};
use crate::exchanges::Message;
use crate::service::NotificationHistory;
use crate::store::{Attempt, Notification};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Webhook {
    id: Uuid,
    transaction_id: Uuid,
    sequence: i64,
    r#type: String,
    url: String,
    state: &'static str,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_attempt_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    attempts: Vec<Attempted>,
}

#[derive(Serialize)]
struct Attempted {
    number: u32,
    at: String,
    milliseconds: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct WebhookList {
    data: Vec<Webhook>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WebhookFaults {
    #[serde(default)]
    duplicated: u8,
    #[serde(default)]
    reordered: u8,
    #[serde(default)]
    dropped: u8,
}

/// A notification as its receiver gets it: headers and body.
#[derive(Serialize)]
pub(super) struct Signed {
    url: String,
    headers: BTreeMap<&'static str, String>,
    body: String,
}

#[derive(Serialize)]
pub(super) struct SecretList {
    data: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretRequest {
    secret: String,
}

pub(super) async fn list(
    State(control): State<Control>,
    Of(merchant): Of,
    parameters: Parameters,
) -> Result<Json<WebhookList>, Refused> {
    let transaction = parameters.parsed("transactionId", "expected a UUID")?;
    let limit = parameters.limit()?;
    let service = &control.service;
    let history = service.notifications(merchant, transaction, limit);
    let data = history.await?.into_iter().map(webhook).collect();
    Ok(Json(WebhookList { data }))
}

pub(super) async fn replay(
    State(control): State<Control>,
    Path(id): Path<String>,
    Of(merchant): Of,
) -> Result<StatusCode, Refused> {
    control.service.replay(merchant, named(&id)?).await?;
    Ok(StatusCode::ACCEPTED)
}

/// The notification as it would be sent now, for clients that forward it.
pub(super) async fn signed(
    State(control): State<Control>,
    Path(id): Path<String>,
    Of(merchant): Of,
) -> Result<Json<Signed>, Refused> {
    let service = &control.service;
    let sent = service.notification(merchant, named(&id)?).await?;
    let secrets = service.signing_secrets(merchant).await?;
    let now = service.machine_time().as_second();
    let Notification { id, url, body, .. } = sent.notification;
    let headers = signature::headers(&secrets, id, now, &body);
    Ok(Json(Signed {
        url,
        headers: headers.into_iter().collect(),
        body,
    }))
}

fn named(id: &str) -> Result<Uuid, Rejection> {
    id.parse()
        .map_err(|_| Rejection::at(Code::Unreadable, "/path/id", "expected a UUID"))
}

pub(super) async fn faults(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<Json<WebhookFaults>, Refused> {
    let faults = control.service.notification_faults(merchant).await?;
    Ok(Json(WebhookFaults {
        duplicated: faults.duplicated,
        reordered: faults.reordered,
        dropped: faults.dropped,
    }))
}

pub(super) async fn set_faults(
    State(control): State<Control>,
    Of(merchant): Of,
    Given(wanted): Given<WebhookFaults>,
) -> Result<Json<WebhookFaults>, Refused> {
    let faults = Faults {
        duplicated: wanted.duplicated,
        reordered: wanted.reordered,
        dropped: wanted.dropped,
    };
    control.service.ask_for_faults(merchant, faults).await?;
    Ok(Json(wanted))
}

pub(super) async fn secrets(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<Json<SecretList>, Refused> {
    let secrets = control.service.signing_secrets(merchant).await?;
    let data = secrets.iter().map(Secret::expose).collect();
    Ok(Json(SecretList { data }))
}

pub(super) async fn set_secret(
    State(control): State<Control>,
    Of(merchant): Of,
    Given(SecretRequest { secret }): Given<SecretRequest>,
) -> Result<StatusCode, Refused> {
    let secret = Secret::parse(&secret).ok_or_else(|| {
        let detail = "a secret is `whsec_` and the base64 of 24 to 64 bytes";
        Rejection::at(Code::ContractViolation, "/secret", detail)
    })?;
    control.service.sign_with(merchant, secret).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn webhook(history: NotificationHistory) -> Webhook {
    let sent = history.notification;
    let body = sent.body.as_bytes();
    Webhook {
        id: sent.id,
        transaction_id: sent.transaction,
        sequence: sent.sequence,
        body: Message::of(&HeaderMap::new(), body, Contract::bundled()).body,
        r#type: sent.event,
        url: Message::text(&sent.url),
        state: sent.status.wire(),
        created_at: format!("{:.3}", sent.created_at),
        next_attempt_at: sent.due_at.map(|due| format!("{due:.3}")),
        attempts: history.attempts.iter().map(attempted).collect(),
    }
}

fn attempted(attempt: &Attempt) -> Attempted {
    let (status, failure) = match attempt.reply {
        Reply::Answered { status, .. } => (Some(status), None),
        Reply::Failed(failure) => (None, Some(failure.word())),
    };
    Attempted {
        number: attempt.number,
        at: format!("{:.3}", attempt.made_at),
        milliseconds: attempt.milliseconds,
        status,
        failure,
    }
}
