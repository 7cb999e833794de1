//! What describes a transaction: kept as it came, given back with it.

use std::collections::BTreeMap;

use merchant_payments::models;
use merchant_payments::runtime::{Decimal, Timestamp, Uuid};
use serde::{Deserialize, Serialize};

use super::money::decimal;
use super::{cashback, channel, payment_link_model};
use crate::domain::money::Money;
use crate::domain::quote::Authorized;
use crate::domain::{Rejection, amount};
use crate::exchanges::Message;
use crate::service::Customer;
use crate::store::StoreError;
use crate::store::payment_links::LinkRecord;

/// The descriptive fields of a transaction.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Details {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) authorization: Option<models::TransactionAuthorization>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fee: Option<models::Fee>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) subsidiary_data: Option<models::SubsidiaryData>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) checks: Option<Checks>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) payment_token: Option<Uuid>,
    /// By which the merchant knows that a customer comes back from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) verify_returnmac: Option<Uuid>,
}

/// What a card is to be checked for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Checks {
    /// A security code was given. The code itself is not kept.
    pub(super) security_code: bool,
    /// The billing address is to be that of the card.
    pub(super) address: bool,
}

impl Details {
    /// What a purchase says of itself.
    pub(super) fn of_purchase(
        body: &models::PurchaseRequest,
        money: Money,
    ) -> Result<Self, Rejection> {
        let data = body.payment_specific_data.as_ref();
        let authorization = body.authorization.as_ref();
        Ok(Self {
            authorization: authorization
                .map(|given| authorized(given.amount.as_ref(), given.currency.as_deref(), money))
                .transpose()?,
            fraud_fields: body.fraud_fields.as_ref().map(without_cards),
            meta: present(models::TransactionMeta {
                custom_ipn_url: body.custom_ipn_url.clone(),
                return_verify_url: data.and_then(|data| data.return_verify_url.clone()),
                three_ds: data
                    .and_then(|data| data.verification_result.as_ref())
                    .map(verified),
                ..models::TransactionMeta::default()
            }),
            customer: body.customer.clone().map(named),
            card_info: data
                .and_then(|data| data.card_token.as_ref())
                .map(|token| card(*token.expose())),
            billing_address: body.billing_address.clone().map(billing),
            shipping_address: body.shipping_address.clone().map(shipping),
            items: body.items.clone(),
            cashback: body
                .cashback
                .as_ref()
                .map(|given| cashback::of_purchase(given, channel(body))),
            checks: data.and_then(checks),
            source: body.source.as_ref().map(source),
            verify_returnmac: data
                .and_then(|data| data.return_verify_url.as_ref())
                .map(|_| Uuid::random()),
            ..Self::default()
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
            fraud_fields: body.fraud_fields.as_ref().map(without_cards),
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

    /// The same, with what the customer authorizes beyond the order.
    pub(super) fn with_quote(mut self, authorized: &Authorized) -> Self {
        let Some(quote) = &authorized.quote else {
            return self;
        };
        let currency = Some(quote.amount.currency().code().to_owned());
        let (fee, amount) = (decimal(quote.fee), decimal(quote.amount));
        self.authorization = Some(models::TransactionAuthorization {
            amount: amount.clone(),
            currency: currency.clone(),
            fee: fee.clone(),
        });
        self.subsidiary_data = Some(models::SubsidiaryData {
            fee_amount: fee.clone(),
            gross_amount: amount,
        });
        self.fee = Some(models::Fee {
            amount: fee,
            currency,
        });
        self
    }

    /// What a payment link says of its purchase.
    pub(super) fn of_link(link: &payment_link_model::Details) -> Self {
        let customer = link.customer.as_ref().map(|customer| models::Customer {
            first_name: customer.first_name.clone(),
            last_name: customer.last_name.clone(),
            email: customer.email.clone(),
            ..models::Customer::default()
        });
        let item = |item: &models::PaymentLinkItem| models::Item {
            name: item.name.clone(),
            price: item
                .price
                .as_ref()
                .and_then(|price| Decimal::new(&payment_link_model::decimal_text(price)?).ok()),
            quantity: item
                .quantity
                .as_ref()
                .and_then(|quantity| quantity.as_str().parse().ok()),
            ..models::Item::default()
        };
        Self {
            customer,
            items: link
                .items
                .as_ref()
                .map(|items| items.iter().map(item).collect()),
            meta: present(models::TransactionMeta {
                custom_ipn_url: link.custom_ipn_url.clone(),
                return_url: link.return_url.clone(),
                ..models::TransactionMeta::default()
            }),
            ..Self::default()
        }
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

/// The descriptive fields of the purchase that a link leads to.
pub fn purchase_details(record: &LinkRecord) -> Result<String, StoreError> {
    Details::of_link(&payment_link_model::Details::read(&record.details)?).text()
}

/// Free texts as they may be kept: what may be a card number in them is not.
fn without_cards(given: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let text = |text: &String| Message::text(text);
    let fields = given.iter();
    fields
        .map(|(name, value)| (text(name), text(value)))
        .collect()
}

/// The customer as the commands want to know of it; [`named`] has given a new one its id.
pub(super) fn customer(
    given: Option<&models::Customer>,
    kept: &Details,
) -> Result<Customer, StoreError> {
    let kept = kept.customer.as_ref();
    let id = kept.and_then(|customer| customer.id).map(uuid::Uuid::from);
    Ok(match (given.and_then(|customer| customer.id), id, kept) {
        (Some(known), _, _) => Customer::Known(known.into()),
        (None, Some(id), Some(new)) => Customer::New {
            id,
            details: introduced(new)?,
        },
        (None, _, _) => Customer::Unnamed,
    })
}

/// What a transaction tells of a customer whom it introduces.
fn introduced(customer: &models::Customer) -> Result<String, StoreError> {
    let details = models::MerchantCustomerDetails {
        first_name: customer.first_name.clone(),
        last_name: customer.last_name.clone(),
        email: customer.email.clone(),
        phone: customer.phone.clone(),
        addresses: None,
    };
    serde_json::to_string(&details).map_err(|_| StoreError::Corrupt("customer"))
}

/// What the purchase wants to be checked, if anything.
fn checks(data: &models::PurchasePaymentData) -> Option<Checks> {
    let card = data.card.as_ref();
    let checks = Checks {
        security_code: card.is_some_and(|card| card.cvv.is_some()),
        address: data.avs_check.unwrap_or_default(),
    };
    (checks.security_code || checks.address).then_some(checks)
}

/// An authentication that the merchant had made elsewhere, but for its secret.
fn verified(result: &models::VerificationResult) -> models::ThreeDsResult {
    let error = result.error_details.as_ref();
    models::ThreeDsResult {
        version: result.version.clone(),
        eci: result.eci.clone(),
        emv3_ds_flow: result.emv3_ds_flow.clone(),
        status: result.trans_status.clone(),
        error_data: error.map(|error| models::ThreeDsResultErrorData {
            component: error.error_component.clone(),
            description: error.error_description.clone(),
            detail: error.error_detail.clone(),
        }),
        ..models::ThreeDsResult::default()
    }
}

fn named(mut customer: models::Customer) -> models::Customer {
    customer.information = customer.information.as_deref().map(Message::text);
    // By time, so that rows that are made together lie together.
    customer
        .id
        .get_or_insert_with(|| uuid::Uuid::now_v7().into());
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
