//! Payment links.

use merchant_payments::runtime::Number;

use super::optional::optional;

optional! {
    /// Descriptive fields of a payment link.
    pub struct PaymentLinkDetails in "snake_case" {
        /// The customer.
        customer: LinkCustomer,
        /// The items.
        items: Vec<LinkItem>,
        /// The address to which the customer returns.
        return_url: String,
        /// The address for notifications.
        custom_ipn_url: String,
    }
}

optional! {
    /// The customer of a link.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct LinkCustomer in "camelCase" {
        email: String,
        first_name: String,
        last_name: String,
    }
}

optional! {
    /// An item of a link.
    pub struct LinkItem in "camelCase" {
        /// Its name.
        name: String,
        /// Its price, with the digits that the merchant sent.
        price: Number,
        /// The quantity, with the digits that the merchant sent.
        quantity: Number,
    }
}
