//! Addresses.

use std::collections::BTreeMap;

use merchant_payments::runtime::Uuid;
use serde::{Deserialize, Serialize};

use super::optional::optional;

optional! {
    /// An address to send things to, or of a customer.
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

/// The address that a card is billed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct BillingAddress {
    /// What every address has.
    #[serde(flatten)]
    pub address: Address,
    /// The number by which the customer pays taxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_id: Option<String>,
    /// Parts under names of the merchant.
    #[serde(flatten)]
    pub others: BTreeMap<String, String>,
}
