//! Converts the descriptive fields of requests to stored details.

use merchant_payments::models;
use merchant_payments::runtime::{Decimal, Timestamp, Uuid};

use super::{cashback, channel};
use crate::details::{
    self, CardInfo, Checks, CustomerDetails, Meta, Software, ThreeDsError, ThreeDsResult,
    TransactionDetails,
};
use crate::domain::money::Money;
use crate::domain::quote::Authorized;
use crate::domain::{Rejection, amount};
use crate::render::decimal;
use crate::service::Customer;

/// The details of a purchase.
pub(super) fn of_purchase(
    body: &models::PurchaseRequest,
    money: Money,
) -> Result<TransactionDetails, Rejection> {
    let data = body.payment_specific_data.as_ref();
    let authorization = body.authorization.as_ref();
    Ok(TransactionDetails {
        authorization: authorization
            .map(|given| authorized(given.amount.as_ref(), given.currency.as_deref(), money))
            .transpose()?,
        fraud_fields: body.fraud_fields.clone(),
        meta: present(Meta {
            custom_ipn_url: body.custom_ipn_url.clone(),
            return_verify_url: data.and_then(|data| data.return_verify_url.clone()),
            three_ds: data
                .and_then(|data| data.verification_result.as_ref())
                .map(verified),
            ..Meta::default()
        }),
        customer: body.customer.clone().map(|customer| named(customer).into()),
        card_info: data
            .and_then(|data| data.card_token.as_ref())
            .map(|token| card(*token.expose())),
        billing_address: body
            .billing_address
            .clone()
            .map(|address| billing(address).into()),
        shipping_address: body
            .shipping_address
            .clone()
            .map(|address| shipping(address).into()),
        items: body
            .items
            .clone()
            .map(|items| items.into_iter().map(Into::into).collect()),
        cashback: body
            .cashback
            .as_ref()
            .map(|given| cashback::of_purchase(given, channel(body)).into()),
        checks: data.and_then(checks),
        source: body.source.as_ref().map(source),
        verify_returnmac: data
            .and_then(|data| data.return_verify_url.as_ref())
            .map(|_| Uuid::random()),
        ..TransactionDetails::default()
    })
}

/// The details of a payout.
pub(super) fn of_payout(
    body: &models::PayoutRequest,
    money: Money,
) -> Result<TransactionDetails, Rejection> {
    let data = &body.payment_specific_data;
    let authorization = body.authorization.as_ref();
    Ok(TransactionDetails {
        authorization: authorization
            .map(|given| authorized(given.amount.as_ref(), given.currency.as_deref(), money))
            .transpose()?,
        fraud_fields: body.fraud_fields.clone(),
        meta: present(Meta {
            custom_ipn_url: body.custom_ipn_url.clone(),
            return_url: data.return_url.clone(),
            destination_currency: data.destination_currency.clone(),
            destination_address: data.destination_address.clone(),
            destination_address_memo: data.destination_address_memo.clone(),
            travel_rule_data: data.travel_rule_data.clone().map(Into::into),
            ..Meta::default()
        }),
        customer: Some(named(body.customer.clone()).into()),
        billing_address: body
            .billing_address
            .clone()
            .map(|address| billing(address).into()),
        shipping_address: body
            .shipping_address
            .clone()
            .map(|address| shipping(address).into()),
        items: body
            .items
            .clone()
            .map(|items| items.into_iter().map(Into::into).collect()),
        source: body.source.as_ref().map(source),
        ..TransactionDetails::default()
    })
}

/// Adds the authorized amount and the fee of the quote to the details.
pub(super) fn with_quote(
    mut details: TransactionDetails,
    authorized: &Authorized,
) -> TransactionDetails {
    let Some(quote) = &authorized.quote else {
        return details;
    };
    let currency = Some(quote.amount.currency().code().to_owned());
    let (fee, amount) = (decimal(quote.fee), decimal(quote.amount));
    details.authorization = Some(details::Authorization {
        amount: amount.clone(),
        currency: currency.clone(),
        fee: fee.clone(),
    });
    details.subsidiary_data = Some(details::SubsidiaryData {
        fee_amount: fee.clone(),
        gross_amount: amount,
    });
    details.fee = Some(details::Fee {
        amount: fee,
        currency,
    });
    details
}

/// The details of a refund.
pub(super) fn of_refund(body: &models::RefundRequest) -> TransactionDetails {
    TransactionDetails {
        source: body.source.as_ref().map(source),
        ..TransactionDetails::default()
    }
}

/// The customer of a transaction; [`named`] has assigned the id of a new customer.
pub(super) fn customer(given: Option<&models::Customer>, kept: &TransactionDetails) -> Customer {
    let kept = kept.customer.as_ref();
    let id = kept.and_then(|customer| customer.id).map(uuid::Uuid::from);
    match (given.and_then(|customer| customer.id), id, kept) {
        (Some(known), _, _) => Customer::Known(known.into()),
        (None, Some(id), Some(new)) => Customer::New {
            id,
            details: introduced(new),
        },
        (None, _, _) => Customer::Unnamed,
    }
}

/// The details of a customer whom a transaction creates.
fn introduced(customer: &details::Customer) -> CustomerDetails {
    CustomerDetails {
        first_name: customer.first_name.clone(),
        last_name: customer.last_name.clone(),
        email: customer.email.clone(),
        phone: customer.phone.clone(),
        addresses: None,
    }
}

/// The card checks that a purchase requests; `None` when it requests none.
fn checks(data: &models::PurchasePaymentData) -> Option<Checks> {
    let card = data.card.as_ref();
    let checks = Checks {
        security_code: card.is_some_and(|card| card.cvv.is_some()),
        address: data.avs_check.unwrap_or_default(),
    };
    (checks.security_code || checks.address).then_some(checks)
}

/// The result of an authentication by the merchant, without its secret.
fn verified(result: &models::VerificationResult) -> ThreeDsResult {
    let error = result.error_details.as_ref();
    ThreeDsResult {
        version: result.version.clone(),
        eci: result.eci.clone(),
        emv3_ds_flow: result.emv3_ds_flow.clone(),
        status: result.trans_status.clone(),
        error_data: error.map(|error| ThreeDsError {
            component: error.error_component.clone(),
            description: error.error_description.clone(),
            detail: error.error_detail.clone(),
        }),
    }
}

fn named(mut customer: models::Customer) -> models::Customer {
    // Ids by time keep rows that are created together close to each other.
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

/// The authorized amount and currency; by default those of the transaction.
fn authorized(
    amount: Option<&Decimal>,
    currency: Option<&str>,
    money: Money,
) -> Result<details::Authorization, Rejection> {
    let amount = amount.map(Decimal::as_str);
    let (amount, currency) = amount::read_part(amount, currency, money, "/authorization")?;
    Ok(details::Authorization {
        amount: amount.and_then(|amount| Decimal::new(&amount.to_string()).ok()),
        currency: Some(currency.code().to_owned()),
        fee: None,
    })
}

/// The client software, without the channel, which belongs to the request.
fn source(source: &models::RequestSource) -> Software {
    Software {
        plugin_name: source.plugin_name.clone(),
        plugin_version: source.plugin_version.clone(),
        platform_name: source.platform_name.clone(),
        platform_version: source.platform_version.clone(),
        process_id: source.process_id.clone(),
        process_name: source.process_name.clone(),
    }
}

/// `None` when every member is absent.
pub(super) fn present(meta: Meta) -> Option<Meta> {
    (meta != Meta::default()).then_some(meta)
}

/// The card behind a seeded token.
fn card(token: Uuid) -> CardInfo {
    CardInfo {
        bank: Some("Test Bank".to_owned()),
        organization: Some("COR_VISA".into()),
        country: Some("DE".to_owned()),
        token: Some(token.into()),
        r#type: Some("CDT_DEBIT".to_owned()),
        last_four_digits: Some(1111),
        bin: Some(411_111),
        expiration_date: Timestamp::new("2030-12-31T23:59:59.999Z").ok(),
        eea: Some(true),
        commercial: Some(false),
        ..CardInfo::default()
    }
}
