//! Renders the results of card checks and of the customer's authentication in `meta`.

use merchant_payments::models::{ThreeDsResult, ThreeDsResultErrorData, TransactionMeta};

use crate::details::{Checks, TransactionDetails};
use crate::domain::authentication::Authentication;
use crate::domain::outcome::RejectCode;
use crate::domain::state::Status;
use crate::domain::transaction::Transaction;

/// The version of the 3-D Secure protocol.
const VERSION: &str = "2.2.0";
/// The letters for a passed check and for an unavailable one.
const MATCH: &str = "M";
const YES: &str = "Y";
const UNKNOWN: &str = "U";

/// Adds the results of a purchase to `meta`.
pub(super) fn add_results(
    meta: &mut TransactionMeta,
    purchase: &Transaction,
    details: &TransactionDetails,
) {
    if let Some(authentication) = &purchase.authentication {
        meta.three_ds = Some(three_ds(authentication));
    }
    if details.card_info.is_none() || purchase.status == Status::Pending {
        return;
    }
    let approved = matches!(purchase.status, Status::Authorized | Status::Accepted);
    meta.authorisation_code = approved.then(|| authorisation_code(purchase));
    meta.result_code = result_code(purchase).map(str::to_owned);
    if let Some(Checks {
        security_code,
        address,
    }) = details.checks
    {
        let known = details.billing_address.as_ref();
        let known = known.is_some_and(|known| known.address.postcode.is_some());
        let avs = if known { YES } else { UNKNOWN };
        meta.cvv_result = security_code.then(|| MATCH.to_owned());
        meta.avs_result = address.then(|| avs.to_owned());
    }
}

fn three_ds(authentication: &Authentication) -> ThreeDsResult {
    let (flow, status, eci) = match authentication {
        Authentication::Frictionless => ("frictionless", YES, Some("05")),
        Authentication::Asked(_) => ("challenge", "C", None),
        Authentication::Passed => ("challenge", YES, Some("05")),
        Authentication::Failed => ("challenge", "N", Some("07")),
        Authentication::Abandoned => ("challenge", UNKNOWN, None),
    };
    let unanswered = *authentication == Authentication::Abandoned;
    ThreeDsResult {
        version: Some(VERSION.to_owned()),
        emv3_ds_flow: Some(flow.to_owned()),
        status: Some(status.to_owned()),
        eci: eci.map(str::to_owned),
        error_data: unanswered.then(|| ThreeDsResultErrorData {
            component: Some("C".to_owned()),
            description: Some("no answer".to_owned()),
            detail: Some("the customer did not answer".to_owned()),
        }),
        ..ThreeDsResult::default()
    }
}

/// A six-digit authorisation code that depends only on the purchase.
fn authorisation_code(purchase: &Transaction) -> String {
    let number = purchase.id.as_u128() % 1_000_000;
    let number = (number + u128::from(purchase.attempts)) % 1_000_000;
    format!("{number:06}")
}

/// The two-digit response code of the issuer.
fn result_code(purchase: &Transaction) -> Option<&'static str> {
    match purchase.status {
        Status::Authorized | Status::Accepted => Some("00"),
        Status::Rejected => Some(match purchase.decline.as_ref().map(RejectCode::as_str) {
            Some("E1006") => "51",
            Some("E1007") => "54",
            _ => "05",
        }),
        Status::Pending | Status::Expired | Status::Cancelled => None,
    }
}
