//! Payment links.

use merchant_payments::runtime::Number;

use super::optional::optional;

optional! {
    /// Descriptive fields of a payment link.
    pub struct PaymentLinkDetails in "snake_case" {
        /// Who is to pay.
        customer: LinkCustomer,
        /// What is paid for.
        items: Vec<LinkItem>,
        /// Where the customer goes from the page.
        return_url: String,
        /// Where notifications go.
        custom_ipn_url: String,
    }
}

optional! {
    /// Who is to pay a link.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct LinkCustomer in "camelCase" {
        email: String,
        first_name: String,
        last_name: String,
    }
}

optional! {
    /// One thing that a link is paid for.
    pub struct LinkItem in "camelCase" {
        /// What it is called.
        name: String,
        /// Its price, with the digits that the merchant sent.
        price: Number,
        /// How many of it, with the digits that the merchant sent.
        quantity: Number,
    }
}
