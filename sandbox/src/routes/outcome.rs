//! Reads the outcomes that a request asks for.
//!
//! The header of the call comes first, then the fields of the transaction. [`RequestedOutcomes`] describes the
//! remaining order.

use std::collections::BTreeMap;

use merchant_payments::models::Customer;
use merchant_payments::server::Context;

use crate::domain::magic_name;
use crate::domain::outcome::Outcome;
use crate::domain::transaction::Planned;
use crate::domain::{Code, Rejection};
use crate::service::RequestedOutcomes;

/// The header that requests the outcome of one call.
const HEADER: &str = "sandbox-outcome";
/// The field of `fraudFields` that requests the outcome of the creating call.
const FIELD: &str = "sandbox.outcome";

/// The outcome in the header.
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

/// The outcomes that a creating call requests.
pub(super) fn of_creation(
    context: &Context,
    fields: Option<&BTreeMap<String, String>>,
    customer: Option<&Customer>,
) -> Result<RequestedOutcomes, Rejection> {
    let field = field(fields, FIELD)?;
    let name = customer.and_then(|customer| customer.last_name.as_deref());
    Ok(RequestedOutcomes {
        explicit: of_call(context)?.or(field),
        by_name: name.and_then(magic_name::outcome),
    })
}

/// The outcomes that the fields request for later calls.
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
