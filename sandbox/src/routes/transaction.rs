//! A transaction in the models of the contract.

use merchant_payments::models;
use merchant_payments::runtime::{Decimal, Uuid};

use super::details::{Details, present};
use super::offer;
use crate::domain::actions::Actions;
use crate::domain::money::Money;
use crate::domain::outcome::RejectCode;
use crate::domain::state::{Kind, Status};
use crate::domain::transaction::Transaction;
use crate::service::View;
use crate::store::{Record, StoreError};

/// The answer that shows a transaction.
pub(super) fn model(view: &View) -> Result<models::Transaction, StoreError> {
    let Record {
        transaction,
        details,
        ..
    } = &view.record;
    let details = Details::read(details)?;
    let decline = transaction
        .decline
        .as_ref()
        .filter(|_| transaction.status == Status::Rejected);
    let shown = amount(transaction);
    let refunds = view
        .refunds
        .iter()
        .map(|refund| summary(&refund.transaction));
    Ok(models::Transaction {
        parent_transaction_id: transaction.parent.map(Uuid::from),
        merchant_transaction_id: Some(transaction.merchant_transaction_id.clone()),
        origin_merchant_transaction_id: transaction.origin_merchant_transaction_id.clone(),
        amount: decimal(shown),
        currency: Some(shown.currency().code().to_owned()),
        authorization: details.authorization,
        created_at: Some(transaction.created_at.into()),
        modified_at: Some(transaction.modified_at.into()),
        r#type: Some(transaction.kind.wire().into()),
        payment_channel: transaction.payment_channel.as_deref().map(Into::into),
        actions: Some(actions(view.actions())),
        fraud_fields: details.fraud_fields,
        reject_code: decline.map(|code| code.as_str().to_owned()),
        reject_reason: decline.map(|code| RejectCode::reason(code).to_owned()),
        refunds: (transaction.kind == Kind::Purchase).then(|| refunds.collect()),
        meta: meta(details.meta, view),
        customer: details.customer,
        card_info: details.card_info,
        billing_address: details.billing_address,
        shipping_address: details.shipping_address,
        items: details.items,
        cashback: details.cashback,
        source: details.source,
        ..models::Transaction::new(transaction.id.into(), transaction.status.wire().into())
    })
}

/// The answer as text.
pub(super) fn text(view: &View) -> Result<String, StoreError> {
    serde_json::to_string(&model(view)?).map_err(|_| StoreError::Corrupt("answer"))
}

/// The answer that was given before.
pub(super) fn again(text: &str) -> Result<models::Transaction, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Corrupt("answer"))
}

/// What was taken, once that is known; what was asked for until then.
fn amount(transaction: &Transaction) -> Money {
    match transaction.captured {
        0 => transaction.money,
        captured => Money::new(captured, transaction.money.currency()),
    }
}

fn decimal(money: Money) -> Option<Decimal> {
    Decimal::new(&money.to_string()).ok()
}

fn summary(refund: &Transaction) -> models::RefundSummary {
    models::RefundSummary {
        id: Some(refund.id.into()),
        merchant_transaction_id: Some(refund.merchant_transaction_id.clone()),
        origin_merchant_transaction_id: refund.origin_merchant_transaction_id.clone(),
        amount: decimal(refund.money),
        currency: Some(refund.money.currency().code().to_owned()),
        created_at: Some(refund.created_at.into()),
        status: Some(refund.status.wire().into()),
    }
}

fn actions(actions: Actions) -> models::TransactionActions {
    models::TransactionActions {
        refund: Some(actions.refund),
        cancel: Some(actions.cancel),
        capture: Some(actions.capture),
        redirect: Some(actions.redirect),
        authorization: Some(actions.authorization),
        select_offer: Some(actions.select_offer),
        renew_offers: Some(actions.renew_offers),
    }
}

fn meta(meta: Option<models::TransactionMeta>, view: &View) -> Option<models::TransactionMeta> {
    let mut meta = meta.unwrap_or_default();
    meta.selected_offer = view
        .offers
        .iter()
        .find(|offer| offer.selected)
        .map(offer::selected);
    present(meta)
}
