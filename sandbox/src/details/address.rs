//! Postal addresses.

use std::collections::BTreeMap;

use merchant_payments::runtime::Uuid;
use serde::{Deserialize, Serialize};

use super::optional::optional;

optional! {
    /// A shipping address, or an address of a customer.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct Address in "camelCase" {
        building_number: String,
        city: String,
        company_name: String,
        country: String,
        country_state: String,
        first_name: String,
        id: Uuid,
        last_name: String,
        phone: String,
        postcode: String,
        province: String,
        room_number: String,
        segment: String,
        street: String,
    }
}

/// The billing address of a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct BillingAddress {
    /// The fields of every address.
    #[serde(flatten)]
    pub address: Address,
    /// The customer's tax number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_id: Option<String>,
    /// Additional fields that the merchant named.
    #[serde(flatten)]
    pub others: BTreeMap<String, String>,
}
