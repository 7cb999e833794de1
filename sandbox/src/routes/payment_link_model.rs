//! A payment link in the models of the contract.

use merchant_payments::models;
use merchant_payments::runtime::Number;
use serde::{Deserialize, Serialize};

use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::{Code, Rejection};
use crate::store::StoreError;
use crate::store::payment_links::LinkRecord;

/// Where the page of a link is, before its id.
pub const PATH: &str = "/pay/links/";
/// Zeros that an exponent may stand for, on either side of the point.
const MOST_ZEROS: usize = 18;
/// Digits after the point of a quantity; before it there are as many as those zeros at most.
const QUANTITY_DIGITS: usize = 6;

/// The merchant of every link, in the words of the interface.
const UUID: &str = "5e0a3c1c-94f7-4a58-8c5b-2a9d1f5b7e30";
const SHOP: &str = "7b1c9b55-0d3e-4c11-bb0e-5c6e4b8f9a41";
const TERMINAL: &str = "2f6d4e8a-3b7c-4e9d-a1f0-8d7c6b5a4e52";
const TERMINAL_NAME: &str = "terminal-1";

/// The descriptive fields of a link.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Details {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) customer: Option<models::PaymentLinkCustomer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<Vec<models::PaymentLinkItem>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) return_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) custom_ipn_url: Option<String>,
}

impl Details {
    /// What a request says of the link.
    pub(super) fn of(body: &models::PaymentLinkRequest) -> Self {
        Self {
            customer: body.customer.clone(),
            items: body.items.clone(),
            return_url: body.return_url.clone(),
            custom_ipn_url: body.custom_ipn_url.clone(),
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

/// The answer that shows a link; `address` is where customers reach the sandbox.
pub(super) fn model(record: &LinkRecord, address: &str) -> Result<models::PaymentLink, StoreError> {
    let link = &record.link;
    let details = Details::read(&record.details)?;
    let id = link.id.hyphenated().to_string();
    let value = Number::new(&link.money.to_string());
    let key = &link.merchant_transaction_id;
    let text = |text: &str| Some(text.to_owned());
    Ok(models::PaymentLink {
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
        customer: details.customer,
        items: details.items,
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
    })
}

/// The answer as text.
pub(super) fn text(record: &LinkRecord, address: &str) -> Result<String, StoreError> {
    serde_json::to_string(&model(record, address)?).map_err(|_| StoreError::Corrupt("answer"))
}

/// The answer that was given before.
pub(super) fn again(text: &str) -> Result<models::PaymentLink, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Corrupt("answer"))
}

/// Prices are money of the link's currency, and quantities more than nothing.
pub(super) fn check_items(
    items: Option<&[models::PaymentLinkItem]>,
    currency: Currency,
) -> Result<(), Rejection> {
    let mut found = Vec::new();
    for (index, item) in items.into_iter().flatten().enumerate() {
        if let Some(price) = &item.price {
            let text = decimal_text(price).unwrap_or_default();
            let pointer = format!("/items/{index}/price");
            let wrong = Money::parse(&text, currency).err();
            found.extend(
                wrong.map(|error| Rejection::at(Code::AmountRule, &pointer, error.to_string())),
            );
        }
        if item
            .quantity
            .as_ref()
            .is_some_and(|quantity| !is_quantity(quantity))
        {
            let pointer = format!("/items/{index}/quantity");
            let detail = "a quantity is more than zero, with at most 18 digits and six decimals";
            found.push(Rejection::at(Code::AmountRule, &pointer, detail));
        }
    }
    Rejection::collected(found)
}

fn is_quantity(number: &Number) -> bool {
    let Some(text) = decimal_text(number) else {
        return false;
    };
    let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
    let fits = whole.len() <= MOST_ZEROS && places.len() <= QUANTITY_DIGITS;
    fits && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
}

/// A JSON number as decimal text, exactly: `1.5e2` is `150`. Nothing for what is negative, or has
/// more digits than any amount.
pub(super) fn decimal_text(number: &Number) -> Option<String> {
    let text = number.as_str();
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.starts_with('-') || fraction.len() > MOST_ZEROS || exponent == 0 {
        return (exponent == 0 && !whole.starts_with('-')).then(|| mantissa.to_owned());
    }
    let zeros = usize::try_from(exponent.unsigned_abs()).ok()?;
    if zeros > MOST_ZEROS {
        return None;
    }
    let padding = "0".repeat(zeros);
    let digits = if exponent > 0 {
        format!("{whole}{fraction}{padding}")
    } else {
        format!("{padding}{whole}{fraction}")
    };
    let point = if exponent > 0 {
        whole.len() + zeros
    } else {
        whole.len()
    };
    let (whole, fraction) = digits.split_at(point);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{whole}{point}{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_decimal_text_exactly() {
        let table = [
            ("49.99", Some("49.99")),
            ("0.10", Some("0.10")),
            ("5000", Some("5000")),
            ("1.5e2", Some("150.0")),
            ("1e2", Some("100")),
            ("1E+2", Some("100")),
            ("125e-2", Some("1.25")),
            ("5e-1", Some("0.5")),
            ("0e0", Some("0")),
            ("12345678901234567.89", Some("12345678901234567.89")),
            ("-1", None),
            ("-1e1", None),
            ("1e19", None),
            ("1e999999999999", None),
        ];
        for (number, expected) in table {
            let number = Number::new(number).unwrap();
            assert_eq!(decimal_text(&number).as_deref(), expected, "{number}");
        }
    }

    #[test]
    fn items_are_money_and_quantities() {
        let eur = Currency::parse("EUR").unwrap();
        let item = |price: &str, quantity: &str| models::PaymentLinkItem {
            name: None,
            price: Number::new(price).ok(),
            quantity: Number::new(quantity).ok(),
        };
        let good = [item("0", "1"), item("0.5", "0.25"), item("12.340", "1e2")];
        assert_eq!(check_items(Some(&good), eur), Ok(()));
        assert_eq!(check_items(None, eur), Ok(()));
        let bad = [
            item("0.001", "0"),
            item("-1", "-1"),
            item("1", "0.0000001"),
            item("1", "1234567890123456789"),
        ];
        let refused = check_items(Some(&bad), eur).unwrap_err();
        let places = [&refused].into_iter().chain(&refused.also);
        let pointers: Vec<_> = places.map(|one| one.pointer.clone().unwrap()).collect();
        let expected = [
            "/items/0/price",
            "/items/0/quantity",
            "/items/1/price",
            "/items/1/quantity",
            "/items/2/quantity",
            "/items/3/quantity",
        ];
        assert_eq!(pointers, expected);
    }
}
