//! The initial records of a merchant.

mod customers;
mod quotes;

pub use quotes::EXPIRED_SESSION;

use jiff::Timestamp;

use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::store::{self, Connection, StoreError, Tenant};

/// The name of the default merchant, which is also its user name for HTTP Basic.
pub const MERCHANT: &str = "development";
/// The default API key; only safe on loopback.
pub const DEFAULT_KEY: &str = "development-key";
/// The default admin key; only safe on loopback.
pub const DEFAULT_ADMIN_KEY: &str = "development-admin-key";

/// The initial balance of a merchant in each of [`CURRENCIES`], in whole units.
const OPENING: i64 = 1_000_000_000;
/// The currencies with an initial balance.
const CURRENCIES: [&str; 24] = [
    "AUD", "BHD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "INR",
    "JPY", "KRW", "KWD", "MXN", "NOK", "PLN", "SEK", "SGD", "TRY", "UAH", "USD",
];

/// Adds the initial records of a merchant, also after a reset.
pub fn tenant(connection: &Connection, tenant: Tenant, now: Timestamp) -> Result<(), StoreError> {
    for code in CURRENCIES {
        let currency = Currency::parse(code).map_err(|_| StoreError::Corrupt("currency"))?;
        let units = 10_i64.pow(u32::from(currency.scale()));
        let money = Money::new(OPENING.saturating_mul(units), currency);
        store::open_balance(connection, tenant, money, now)?;
    }
    customers::add(connection, tenant, now)?;
    quotes::add(connection, tenant, now)
}
