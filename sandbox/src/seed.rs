//! What a merchant starts with.

mod customers;
mod quotes;

pub use quotes::EXPIRED_SESSION;

use jiff::Timestamp;

use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::store::{self, Connection, StoreError, Tenant};

/// The merchant that every database has, and its user name for HTTP Basic.
pub const MERCHANT: &str = "development";
/// The key when none is given; good enough for loopback only.
pub const DEFAULT_KEY: &str = "development-key";
/// The admin key when none is given; good enough for loopback only, too.
pub const DEFAULT_ADMIN_KEY: &str = "development-admin-key";

/// What a merchant starts with in each of [`CURRENCIES`], in whole units.
const OPENING: i64 = 1_000_000_000;
/// The currencies that a merchant can pay out in.
const CURRENCIES: [&str; 24] = [
    "AUD", "BHD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "INR",
    "JPY", "KRW", "KWD", "MXN", "NOK", "PLN", "SEK", "SGD", "TRY", "UAH", "USD",
];

/// Fills the records of a new merchant, or of one that begins anew.
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
