//! Reads the subscription that a purchase begins.

use merchant_payments::models::{PurchasePaymentData, PurchaseRequest};
use uuid::Uuid;

use super::details::present;
use crate::details::{Meta, TransactionDetails};
use crate::domain::{Code, Rejection, card_token, charge_script};
use crate::service::subscriptions::Order;

/// The field of `fraudFields` that requests the outcomes of the charges.
const FIELD: &str = "sandbox.outcome.charge";

/// The id of the plan in a purchase request.
pub(super) fn plan(data: Option<&PurchasePaymentData>) -> Option<Uuid> {
    let subscription = data.and_then(|data| data.subscription.as_ref());
    subscription.and_then(|plan| plan.plan_id).map(Into::into)
}

/// The order of a subscription to the plan.
pub(super) fn order(
    plan: Uuid,
    body: &PurchaseRequest,
    described: &TransactionDetails,
) -> Result<Order, Rejection> {
    let customer = body.customer.as_ref();
    Ok(Order {
        plan,
        email: customer.and_then(|customer| customer.email.clone()),
        outcomes: outcomes(body)?,
        details: Box::new(charged(body, described)),
    })
}

/// The script of the charges' outcomes: the requested one, or that of the card token.
fn outcomes(body: &PurchaseRequest) -> Result<Option<String>, Rejection> {
    let fields = body.fraud_fields.as_ref();
    if let Some(script) = fields.and_then(|fields| fields.get(FIELD)) {
        charge_script::check(script).map_err(|error| {
            let pointer = format!("/fraudFields/{FIELD}");
            Rejection::at(Code::ContractViolation, &pointer, error.to_string())
        })?;
        return Ok(Some(script.clone()));
    }
    let data = body.payment_specific_data.as_ref();
    let token = data.and_then(|data| data.card_token.as_ref());
    let outcome = token.and_then(|token| card_token::charges((*token.expose()).into()));
    Ok(outcome.map(|outcome| outcome.to_string()))
}

/// The details of the charges: customer, card and receiver of notifications.
fn charged(body: &PurchaseRequest, described: &TransactionDetails) -> TransactionDetails {
    TransactionDetails {
        customer: described.customer.clone(),
        card_info: described.card_info.clone(),
        billing_address: described.billing_address.clone(),
        meta: present(Meta {
            custom_ipn_url: body.custom_ipn_url.clone(),
            ..Meta::default()
        }),
        ..TransactionDetails::default()
    }
}
