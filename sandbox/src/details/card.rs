//! Descriptive fields of saved cards, and of pages on which a card is entered.

use serde::{Deserialize, Serialize};

use super::optional::optional;

optional! {
    /// Descriptive fields of a saved card: its holder, or the recipient it belongs to.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct CardDetails in "snake_case" {
        card_holder_name: String,
        card_holder: CardHolder,
        address_line1: String,
        address_line2: String,
        address_city: String,
        address_country: String,
        address_state: String,
        address_zip: String,
        /// The first name of the recipient.
        first_name: String,
        /// The last name of the recipient.
        last_name: String,
        /// The telephone number of the recipient.
        phone: String,
    }
}

impl CardDetails {
    /// These fields; absent ones are taken from `earlier`.
    #[must_use]
    pub fn or(self, earlier: Self) -> Self {
        Self {
            card_holder_name: self.card_holder_name.or(earlier.card_holder_name),
            card_holder: self.card_holder.or(earlier.card_holder),
            address_line1: self.address_line1.or(earlier.address_line1),
            address_line2: self.address_line2.or(earlier.address_line2),
            address_city: self.address_city.or(earlier.address_city),
            address_country: self.address_country.or(earlier.address_country),
            address_state: self.address_state.or(earlier.address_state),
            address_zip: self.address_zip.or(earlier.address_zip),
            first_name: self.first_name.or(earlier.first_name),
            last_name: self.last_name.or(earlier.last_name),
            phone: self.phone.or(earlier.phone),
        }
    }
}

optional! {
    /// The holder of a card.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct CardHolder in "camelCase" {
        birth_date: String,
        first_name: String,
        last_name: String,
        middle_name: String,
    }
}

/// Options of a page on which a customer enters a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardEntryDetails {
    /// The address to which the customer returns.
    pub return_url: String,
    /// The address for notifications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_ipn_url: Option<String>,
    /// The language of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
}
