//! Renders payment links.

use merchant_payments::models;
use merchant_payments::runtime::Number;

use crate::store::StoreError;
use crate::store::payment_links::LinkRecord;

/// The path of a link's page; the link's id follows.
pub const PATH: &str = "/pay/links/";

/// The fixed merchant data of every link.
const UUID: &str = "5e0a3c1c-94f7-4a58-8c5b-2a9d1f5b7e30";
const SHOP: &str = "7b1c9b55-0d3e-4c11-bb0e-5c6e4b8f9a41";
const TERMINAL: &str = "2f6d4e8a-3b7c-4e9d-a1f0-8d7c6b5a4e52";
const TERMINAL_NAME: &str = "terminal-1";

/// A link; `address` is the address at which customers reach the sandbox.
pub fn model(record: &LinkRecord, address: &str) -> models::PaymentLink {
    let link = &record.link;
    let details = record.details.clone();
    let id = link.id.hyphenated().to_string();
    let value = Number::new(&link.money.to_string());
    let key = &link.merchant_transaction_id;
    let text = |text: &str| Some(text.to_owned());
    models::PaymentLink {
        id: Some(link.id.into()),
        url: Some(format!("{address}{PATH}{id}")),
        expiration_date: Some(link.expires_at.into()),
        status: Some(link.status().wire().into()),
        created_at: Some(format!("{:.3}", link.created_at)),
        hidden: Some(link.hidden),
        amount: Some(models::PaymentLinkAmount {
            currency: text(link.money.currency().code()),
            value: value.ok(),
        }),
        customer: details.customer.map(Into::into),
        items: details
            .items
            .map(|items| items.into_iter().map(Into::into).collect()),
        merchant: Some(models::PaymentLinkMerchant {
            uuid: text(UUID),
            shop_uuid: text(SHOP),
            terminal_uuid: text(TERMINAL),
            transaction_id: Some(key.clone()),
            terminal_id: text(TERMINAL_NAME),
        }),
        merchant_transaction_id: Some(key.clone()),
        transaction_id: link.purchase.map(|(id, _)| id.into()),
        return_url: details.return_url,
        custom_ipn_url: details.custom_ipn_url,
    }
}

/// A link as text.
pub fn text(record: &LinkRecord, address: &str) -> Result<String, StoreError> {
    serde_json::to_string(&model(record, address)).map_err(|_| StoreError::Corrupt("answer"))
}

/// Parses a stored link.
pub fn again(text: &str) -> Result<models::PaymentLink, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Corrupt("answer"))
}
