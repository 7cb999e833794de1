//! Customers of a merchant.

use super::Address;
use super::optional::optional;

optional! {
    /// Descriptive fields of a customer.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct CustomerDetails in "camelCase" {
        addresses: Vec<Address>,
        email: String,
        first_name: String,
        last_name: String,
        phone: String,
    }
}

impl CustomerDetails {
    /// These fields; absent ones are taken from `earlier`.
    #[must_use]
    pub fn or(self, earlier: Self) -> Self {
        Self {
            addresses: self.addresses.or(earlier.addresses),
            email: self.email.or(earlier.email),
            first_name: self.first_name.or(earlier.first_name),
            last_name: self.last_name.or(earlier.last_name),
            phone: self.phone.or(earlier.phone),
        }
    }
}
