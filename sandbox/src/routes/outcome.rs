//! What the caller wants the provider to answer.
//!
//! First match wins: the header of the call, then the fields of the transaction, then the card
//! token, then acceptance.

use std::collections::BTreeMap;

use merchant_payments::server::Context;
use uuid::Uuid;

use crate::domain::card_token;
use crate::domain::outcome::Outcome;
use crate::domain::transaction::Planned;
use crate::domain::{Code, Rejection};

/// The header that asks for an outcome of one call.
const HEADER: &str = "sandbox-outcome";
/// The field of `fraudFields` that asks for the outcome of the call that creates.
const FIELD: &str = "sandbox.outcome";

/// What the header asks for.
pub(super) fn of_call(context: &Context) -> Result<Option<Outcome>, Rejection> {
    let Some(value) = context.headers.get(HEADER) else {
        return Ok(None);
    };
    let outcome = value.to_str().unwrap_or_default().parse::<Outcome>();
    outcome.map(Some).map_err(|error| {
        Rejection::new(
            Code::Unreadable,
            format!("the header {HEADER} cannot be read: {error}"),
        )
    })
}

/// What a call that creates gets.
pub(super) fn of_creation(
    context: &Context,
    fields: Option<&BTreeMap<String, String>>,
    token: Option<Uuid>,
) -> Result<Outcome, Rejection> {
    let token = token
        .map(|token| card_token::outcome(token).ok_or_else(|| Rejection::unknown("card")))
        .transpose()?;
    let field = field(fields, FIELD)?;
    Ok(of_call(context)?
        .or(field)
        .or(token)
        .unwrap_or(Outcome::ACCEPT))
}

/// What the fields ask for later calls.
pub(super) fn planned(fields: Option<&BTreeMap<String, String>>) -> Result<Planned, Rejection> {
    Ok(Planned {
        capture: field(fields, "sandbox.outcome.capture")?,
        refund: field(fields, "sandbox.outcome.refund")?,
        renew: field(fields, "sandbox.outcome.renew")?,
    })
}

fn field(
    fields: Option<&BTreeMap<String, String>>,
    name: &str,
) -> Result<Option<Outcome>, Rejection> {
    let text = fields.and_then(|fields| fields.get(name));
    text.map(|text| text.parse::<Outcome>())
        .transpose()
        .map_err(|error| {
            let pointer = format!("/fraudFields/{name}");
            Rejection::at(Code::ContractViolation, &pointer, error.to_string())
        })
}
