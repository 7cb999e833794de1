//! What a customer is asked to pay.

use serde_json::Value;

use crate::routes::purchase_details;
use crate::service::View;
use crate::store::payment_links::LinkRecord;

/// What a customer brings back, as the transaction calls it.
const RETURNMAC: &str = "verifyReturnmac";

/// What is to be paid, to whom, and what for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bill {
    pub(super) merchant: String,
    pub(super) amount: String,
    pub(super) currency: String,
    pub(super) reference: Option<String>,
    pub(super) items: Vec<Item>,
}

/// One thing that is paid for.
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
        let (link, details) = (&record.link, purchase_details(record));
        Self {
            merchant,
            amount: link.money.to_string(),
            currency: link.money.currency().to_string(),
            reference: Some(link.merchant_transaction_id.clone()),
            items: items(&details.unwrap_or_default()),
        }
    }
}

/// Where the merchant wants the customer back, by the descriptive fields of a transaction, if that is
/// an address of the web. Whoever comes back to the `returnVerifyUrl` brings along what only the merchant
/// was told before.
pub(super) fn return_address(details: &str) -> Option<String> {
    let details = read(details);
    let meta = &details["meta"];
    let given = ["returnVerifyUrl", "returnUrl"].map(|name| meta[name].as_str());
    let address = given.into_iter().flatten().next()?;
    let mut url = url::Url::parse(address).ok()?;
    if !["http", "https"].contains(&url.scheme()) {
        return None;
    }
    let known = details["verify_returnmac"].as_str();
    let Some(known) = known.filter(|_| given[0].is_some()) else {
        return Some(address.to_owned());
    };
    url.query_pairs_mut().append_pair(RETURNMAC, known);
    Some(url.into())
}

fn read(details: &str) -> Value {
    serde_json::from_str(details).unwrap_or_default()
}

/// The items that have a name, as they were given.
fn items(details: &str) -> Vec<Item> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let item = |item: &Value| {
        Some(Item {
            name: text(&item["name"])?,
            quantity: text(&item["quantity"]),
            price: text(&item["price"]).unwrap_or_default(),
        })
    };
    let details = read(details);
    let all = details["items"].as_array().into_iter().flatten();
    all.filter_map(item).collect()
}
