//! Renders transactions.

use merchant_payments::models;
use merchant_payments::runtime::Uuid;

use super::money::decimal;
use super::{View, card_checks, charged_fee, offer};
use crate::details::TransactionDetails;
use crate::domain::actions::Actions;
use crate::domain::catalogue::Catalogue;
use crate::domain::money::Money;
use crate::domain::outcome::RejectCode;
use crate::domain::state::{Kind, Status};
use crate::domain::transaction::Transaction;
use crate::store::{Record, StoreError};

/// The status of the top-up transfer. The transfer is part of the commit that captures the money,
/// so it is always accepted.
const ACCEPTED: models::TransactionTopupTransferStatus =
    models::TransactionTopupTransferStatus::Accepted;

/// A transaction.
pub fn model(view: &View) -> models::Transaction {
    let Record {
        transaction,
        details,
        ..
    } = &view.record;
    let details = details.clone();
    let decline = transaction
        .decline
        .as_ref()
        .filter(|_| transaction.status == Status::Rejected);
    let meta = meta(&details, view);
    let shown = amount(transaction);
    let (fee, subsidiary_data) = charged_fee::of(&details, shown, transaction.money);
    let refunds = view
        .refunds
        .iter()
        .map(|refund| summary(&refund.transaction));
    models::Transaction {
        parent_transaction_id: transaction.parent.map(Uuid::from),
        merchant_transaction_id: Some(transaction.merchant_transaction_id.clone()),
        origin_merchant_transaction_id: transaction.origin_merchant_transaction_id.clone(),
        amount: decimal(shown),
        currency: Some(shown.currency().code().to_owned()),
        authorization: details.authorization.map(Into::into),
        fee,
        subsidiary_data,
        image_url: image(transaction),
        topup_transfer_status: is_topped_up(transaction).then_some(ACCEPTED),
        created_at: Some(transaction.created_at.into()),
        modified_at: Some(transaction.modified_at.into()),
        r#type: Some(transaction.kind.wire().into()),
        payment_channel: transaction.payment_channel.as_deref().map(Into::into),
        actions: Some(actions(view.actions())),
        fraud_fields: details.fraud_fields,
        reject_code: decline.map(|code| code.as_str().to_owned()),
        reject_reason: decline.map(|code| RejectCode::reason(code).to_owned()),
        refunds: (transaction.kind == Kind::Purchase).then(|| refunds.collect()),
        meta,
        merchant_action: view.redirect.clone().map(redirection),
        redirect_url: view.redirect.clone(),
        customer: details.customer.map(Into::into),
        card_info: details.card_info.map(Into::into),
        payment_token: details
            .payment_token
            .filter(|_| transaction.status == Status::Accepted)
            .map(|token| token.to_string().into()),
        billing_address: details.billing_address.map(Into::into),
        shipping_address: details.shipping_address.map(Into::into),
        items: { details.items }.map(|items| items.into_iter().map(Into::into).collect()),
        verify_returnmac: details.verify_returnmac.map(Into::into),
        cashback: details.cashback.map(Into::into),
        source: details.source.map(Into::into),
        ..models::Transaction::builder()
            .id(transaction.id)
            .status(transaction.status.wire())
            .build()
    }
}

/// A transaction as text.
pub fn text(view: &View) -> Result<String, StoreError> {
    serde_json::to_string(&model(view)).map_err(|_| StoreError::Corrupt("answer"))
}

/// Parses a stored transaction.
pub fn again(text: &str) -> Result<models::Transaction, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Corrupt("answer"))
}

/// The captured amount, or the requested amount before the capture.
fn amount(transaction: &Transaction) -> Money {
    match transaction.captured {
        0 => transaction.money,
        captured => Money::new(captured, transaction.money.currency()),
    }
}

/// The logo of the channel, as in the list of payment methods.
fn image(transaction: &Transaction) -> Option<String> {
    let channel = Catalogue::seeded().channel(transaction.payment_channel.as_deref()?)?;
    Some(channel.logo_url.clone())
}

/// Whether the captured amount was added to the merchant's balance.
fn is_topped_up(transaction: &Transaction) -> bool {
    transaction.kind == Kind::Purchase && transaction.captured > 0
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

/// Tells the merchant to send the customer to this address.
fn redirection(url: String) -> models::MerchantAction {
    models::MerchantAction {
        action: Some("REDIRECT".to_owned()),
        data: Some(models::MerchantActionData {
            redirect_url: Some(url),
        }),
    }
}

fn meta(details: &TransactionDetails, view: &View) -> Option<models::TransactionMeta> {
    let mut meta = details.meta.clone().unwrap_or_default().into();
    let transaction = &view.record.transaction;
    if transaction.kind == Kind::Purchase {
        card_checks::add_results(&mut meta, transaction, details);
    }
    if let Some(selected) = view.offers.iter().find(|offer| offer.selected) {
        meta.selected_offer = Some(offer::selected(selected));
        if transaction.status == Status::Accepted {
            offer::paid(&mut meta, selected, transaction.payment_channel.as_deref());
        }
    }
    // `None` when every member is absent.
    (meta != models::TransactionMeta::default()).then_some(meta)
}
