//! Lists, creates and resets tenants.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Control;
use super::json_body::Given;
use super::parameters::{Of, Parameters};
use super::refusal::{self, Refused};
use crate::domain::{Code, Rejection};
use crate::service::merchants::Account;

/// The length limit of a name, in characters.
const LONGEST: usize = 64;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct TenantRequest {
    name: String,
    api_key: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewTenant {
    name: String,
    api_key: String,
}

#[derive(Serialize)]
pub(super) struct Tenant {
    name: String,
}

#[derive(Serialize)]
pub(super) struct TenantList {
    data: Vec<Tenant>,
}

pub(super) async fn list(State(control): State<Control>) -> Result<Json<TenantList>, Refused> {
    let names = control.service.merchants().await?;
    let data = names.into_iter().map(|name| Tenant { name }).collect();
    Ok(Json(TenantList { data }))
}

pub(super) async fn create(
    State(control): State<Control>,
    Given(request): Given<TenantRequest>,
) -> Result<(StatusCode, Json<NewTenant>), Refused> {
    let TenantRequest { name, api_key } = request;
    let api_key = api_key.unwrap_or_else(|| Uuid::new_v4().simple().to_string());
    let mut wrong = Vec::new();
    if !is_name(&name) {
        let detail = format!("a name has 1 to {LONGEST} letters, digits, hyphens and underscores");
        wrong.push(Rejection::at(Code::ContractViolation, "/name", detail));
    }
    if api_key.is_empty() || !api_key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let detail = "a key is visible ASCII without spaces";
        wrong.push(Rejection::at(Code::ContractViolation, "/apiKey", detail));
    }
    if control.key.is(api_key.as_bytes()) {
        let detail = "the admin key opens nothing else";
        wrong.push(Rejection::at(Code::ContractViolation, "/apiKey", detail));
    }
    refusal::all(wrong)?;
    let account = Account {
        name: name.clone(),
        key: api_key.clone(),
    };
    control.service.add_merchant(account).await?;
    Ok((StatusCode::CREATED, Json(NewTenant { name, api_key })))
}

pub(super) async fn reset(
    State(control): State<Control>,
    Of(merchant): Of,
    parameters: Parameters,
) -> Result<StatusCode, Refused> {
    match parameters.text("snapshots").as_deref() {
        None | Some("keep") => {}
        Some("remove") => control.service.remove_snapshots(merchant).await?,
        Some(_) => {
            let detail = "expected keep or remove";
            return Err(Rejection::at(Code::ContractViolation, "/query/snapshots", detail).into());
        }
    }
    control.reset(merchant).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(allowed)
}
