//! Audits the ledger and the records of all tenants.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Control;
use super::refusal::Refused;

#[derive(Serialize)]
pub(super) struct Report {
    findings: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    rule: &'static str,
    subject: String,
}

pub(super) async fn run(State(control): State<Control>) -> Result<Json<Report>, Refused> {
    let findings = control.service.audit().await?;
    let findings = findings.into_iter().map(|finding| Found {
        rule: finding.rule,
        subject: finding.subject,
    });
    Ok(Json(Report {
        findings: findings.collect(),
    }))
}
