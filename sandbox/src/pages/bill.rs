//! The bill on a payment page: amount, merchant and items.

use crate::details::TransactionDetails;
use crate::domain::link_items;
use crate::render::View;
use crate::store::payment_links::LinkRecord;

/// The query parameter that proves to the merchant that the customer returned.
const RETURNMAC: &str = "verifyReturnmac";

/// The amount, the merchant and the items of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bill {
    pub(super) merchant: String,
    pub(super) amount: String,
    pub(super) currency: String,
    pub(super) reference: Option<String>,
    pub(super) items: Vec<Item>,
}

/// An item of a bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) quantity: Option<String>,
    pub(super) price: String,
}

impl Bill {
    /// The bill of a transaction.
    pub(super) fn of(merchant: String, view: &View) -> Self {
        let transaction = &view.record.transaction;
        Self {
            merchant,
            amount: transaction.money.to_string(),
            currency: transaction.money.currency().to_string(),
            reference: Some(transaction.merchant_transaction_id.clone()),
            items: items(&view.record.details),
        }
    }

    /// The bill of a payment link.
    pub(super) fn of_link(merchant: String, record: &LinkRecord) -> Self {
        let link = &record.link;
        Self {
            merchant,
            amount: link.money.to_string(),
            currency: link.money.currency().to_string(),
            reference: Some(link.merchant_transaction_id.clone()),
            items: items(&link_items::purchase(&record.details)),
        }
    }
}

/// The `http` or `https` address to which the customer returns, from the descriptive fields of a
/// transaction; `None` when it has none.
///
/// The `returnVerifyUrl` gets a parameter whose value only the merchant knew before.
pub(super) fn return_address(details: &TransactionDetails) -> Option<String> {
    let meta = details.meta.as_ref()?;
    let verifying = meta.return_verify_url.as_deref();
    let address = verifying.or(meta.return_url.as_deref())?;
    let mut url = url::Url::parse(address).ok()?;
    if !["http", "https"].contains(&url.scheme()) {
        return None;
    }
    let Some(known) = details.verify_returnmac.filter(|_| verifying.is_some()) else {
        return Some(address.to_owned());
    };
    url.query_pairs_mut()
        .append_pair(RETURNMAC, &known.to_string());
    Some(url.into())
}

/// The items that have a name.
fn items(details: &TransactionDetails) -> Vec<Item> {
    let all = details.items.iter().flatten();
    all.filter_map(|item| {
        let price = item.price.as_ref();
        Some(Item {
            name: item.name.clone()?,
            quantity: item.quantity.map(|quantity| quantity.to_string()),
            price: price
                .map(|price| price.as_str().to_owned())
                .unwrap_or_default(),
        })
    })
    .collect()
}
