//! The items of a payment link, and the purchase details that follow from them.

use merchant_payments::runtime::{Decimal, Number};

use super::currency::Currency;
use super::money::Money;
use super::number_text::{MOST_ZEROS, decimal_text};
use super::{Code, Rejection};
use crate::details::{Customer, Item, LinkItem, Meta, PaymentLinkDetails, TransactionDetails};

/// The most digits after the decimal point of a quantity.
const QUANTITY_DIGITS: usize = 6;

/// Checks that prices are amounts in the link's currency and that quantities are greater than zero.
pub fn check(items: Option<&[LinkItem]>, currency: Currency) -> Result<(), Rejection> {
    let mut found = Vec::new();
    for (index, item) in items.into_iter().flatten().enumerate() {
        if let Some(price) = &item.price {
            let text = decimal_text(price.as_str()).unwrap_or_default();
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
    let Some(text) = decimal_text(number.as_str()) else {
        return false;
    };
    let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
    let fits = whole.len() <= MOST_ZEROS && places.len() <= QUANTITY_DIGITS;
    fits && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
}

/// The details of the purchase that pays a link.
pub fn purchase(link: &PaymentLinkDetails) -> TransactionDetails {
    let customer = link.customer.as_ref().map(|customer| Customer {
        first_name: customer.first_name.clone(),
        last_name: customer.last_name.clone(),
        email: customer.email.clone(),
        ..Customer::default()
    });
    let meta = Meta {
        custom_ipn_url: link.custom_ipn_url.clone(),
        return_url: link.return_url.clone(),
        ..Meta::default()
    };
    TransactionDetails {
        customer,
        items: { link.items.as_ref() }.map(|items| items.iter().map(purchased).collect()),
        meta: (meta != Meta::default()).then_some(meta),
        ..TransactionDetails::default()
    }
}

fn purchased(item: &LinkItem) -> Item {
    let price = item.price.as_ref();
    let quantity = item.quantity.as_ref();
    Item {
        name: item.name.clone(),
        price: price.and_then(|price| Decimal::new(&decimal_text(price.as_str())?).ok()),
        quantity: quantity.and_then(|quantity| quantity.as_str().parse().ok()),
        ..Item::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_money_and_quantities() {
        let eur = Currency::parse("EUR").unwrap();
        let item = |price: &str, quantity: &str| LinkItem {
            name: None,
            price: Number::new(price).ok(),
            quantity: Number::new(quantity).ok(),
        };
        let good = [item("0", "1"), item("0.5", "0.25"), item("12.340", "1e2")];
        assert_eq!(check(Some(&good), eur), Ok(()));
        assert_eq!(check(None, eur), Ok(()));
        let bad = [
            item("0.001", "0"),
            item("-1", "-1"),
            item("1", "0.0000001"),
            item("1", "1234567890123456789"),
        ];
        let refused = check(Some(&bad), eur).unwrap_err();
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
