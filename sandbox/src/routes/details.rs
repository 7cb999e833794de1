//! What describes a transaction: kept as it came, given back with it.

use std::collections::BTreeMap;

use merchant_payments::models;
use merchant_payments::runtime::{Decimal, Timestamp, Uuid};
use serde::{Deserialize, Serialize};

use crate::domain::money::Money;
use crate::domain::{Rejection, amount};
use crate::service::Customer;
use crate::store::StoreError;

/// The descriptive fields of a transaction.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Details {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) authorization: Option<models::TransactionAuthorization>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fraud_fields: Option<BTreeMap<String, String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) meta: Option<models::TransactionMeta>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) customer: Option<models::Customer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) card_info: Option<models::CardInfo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) billing_address: Option<models::BillingAddress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shipping_address: Option<models::Address>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<Vec<models::Item>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cashback: Option<models::Cashback>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<models::Source>,
}

impl Details {
    /// What a purchase says of itself.
    pub(super) fn of_purchase(
        body: &models::PurchaseRequest,
        money: Money,
    ) -> Result<Self, Rejection> {
        let data = body.payment_specific_data.as_ref();
        let authorization = body.authorization.as_ref();
        let client = body
            .cashback
            .as_ref()
            .and_then(|cashback| cashback.client.as_ref());
        Ok(Self {
            authorization: authorization
                .map(|given| authorized(given.amount.as_ref(), given.currency.as_deref(), money))
                .transpose()?,
            fraud_fields: body.fraud_fields.clone(),
            meta: present(models::TransactionMeta {
                custom_ipn_url: body.custom_ipn_url.clone(),
                return_verify_url: data.and_then(|data| data.return_verify_url.clone()),
                ..models::TransactionMeta::default()
            }),
            customer: body.customer.clone().map(named),
            card_info: data
                .and_then(|data| data.card_token.as_ref())
                .map(|token| card(*token.expose())),
            billing_address: body.billing_address.clone().map(billing),
            shipping_address: body.shipping_address.clone().map(shipping),
            items: body.items.clone(),
            cashback: client.map(|client| models::Cashback {
                client: Some(models::CashbackClient {
                    id: client.id.clone(),
                    email: client.email.clone(),
                    ..models::CashbackClient::default()
                }),
                ..models::Cashback::default()
            }),
            source: body.source.as_ref().map(source),
        })
    }

    /// What a payout says of itself.
    pub(super) fn of_payout(body: &models::PayoutRequest, money: Money) -> Result<Self, Rejection> {
        let data = &body.payment_specific_data;
        let authorization = body.authorization.as_ref();
        Ok(Self {
            authorization: authorization
                .map(|given| authorized(given.amount.as_ref(), given.currency.as_deref(), money))
                .transpose()?,
            fraud_fields: body.fraud_fields.clone(),
            meta: present(models::TransactionMeta {
                custom_ipn_url: body.custom_ipn_url.clone(),
                return_url: data.return_url.clone(),
                destination_currency: data.destination_currency.clone(),
                destination_address: data.destination_address.clone(),
                destination_address_memo: data.destination_address_memo.clone(),
                travel_rule_data: data.travel_rule_data.clone(),
                ..models::TransactionMeta::default()
            }),
            customer: Some(named(body.customer.clone())),
            billing_address: body.billing_address.clone().map(billing),
            shipping_address: body.shipping_address.clone().map(shipping),
            items: body.items.clone(),
            source: body.source.as_ref().map(source),
            ..Self::default()
        })
    }

    /// What a refund says of itself.
    pub(super) fn of_refund(body: &models::RefundRequest) -> Self {
        Self {
            source: body.source.as_ref().map(source),
            ..Self::default()
        }
    }

    /// Reads them back.
    pub(super) fn read(text: &str) -> Result<Self, StoreError> {
        serde_json::from_str(text).map_err(|_| StoreError::Corrupt("details"))
    }

    /// The text that is kept.
    pub(super) fn text(&self) -> Result<String, StoreError> {
        serde_json::to_string(self).map_err(|_| StoreError::Corrupt("details"))
    }
}

/// The customer as the commands want to know of it; [`named`] has given a new one its id.
pub(super) fn customer(given: Option<&models::Customer>, kept: &Details) -> Customer {
    let id = kept
        .customer
        .as_ref()
        .and_then(|customer| customer.id)
        .map(uuid::Uuid::from);
    match (given.and_then(|customer| customer.id), id) {
        (Some(known), _) => Customer::Known(known.into()),
        (None, Some(new)) => Customer::New(new),
        (None, None) => Customer::Unnamed,
    }
}

fn named(mut customer: models::Customer) -> models::Customer {
    customer.id.get_or_insert_with(Uuid::random);
    customer
}

fn billing(mut address: models::BillingAddress) -> models::BillingAddress {
    address.id.get_or_insert_with(Uuid::random);
    address
}

fn shipping(mut address: models::Address) -> models::Address {
    address.id.get_or_insert_with(Uuid::random);
    address
}

/// Authorized is what the transaction is about, unless the request says otherwise.
fn authorized(
    amount: Option<&Decimal>,
    currency: Option<&str>,
    money: Money,
) -> Result<models::TransactionAuthorization, Rejection> {
    let amount = amount.map(Decimal::as_str);
    let (amount, currency) = amount::read_part(amount, currency, money, "/authorization")?;
    Ok(models::TransactionAuthorization {
        amount: amount.and_then(|amount| Decimal::new(&amount.to_string()).ok()),
        currency: Some(currency.code().to_owned()),
        ..models::TransactionAuthorization::default()
    })
}

/// The software, without the channel: that belongs to the request.
fn source(source: &models::RequestSource) -> models::Source {
    models::Source {
        plugin_name: source.plugin_name.clone(),
        plugin_version: source.plugin_version.clone(),
        platform_name: source.platform_name.clone(),
        platform_version: source.platform_version.clone(),
        process_id: source.process_id.clone(),
        process_name: source.process_name.clone(),
    }
}

/// Nothing instead of an object without members.
pub(super) fn present(meta: models::TransactionMeta) -> Option<models::TransactionMeta> {
    (meta != models::TransactionMeta::default()).then_some(meta)
}

/// The card behind every seeded token.
fn card(token: Uuid) -> models::CardInfo {
    models::CardInfo {
        bank: Some("Test Bank".to_owned()),
        organization: Some("COR_VISA".into()),
        country: Some("DE".to_owned()),
        token: Some(token.into()),
        r#type: Some("CDT_DEBIT".into()),
        last_four_digits: Some(1111),
        bin: Some(411_111),
        expiration_date: Timestamp::new("2030-12-31T23:59:59.999Z").ok(),
        eea: Some(true),
        commercial: Some(false),
        ..models::CardInfo::default()
    }
}
