//! The tenant that a fresh database has, for development.

use jiff::Timestamp;
use rusqlite::Connection;

use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::store::{self, Credential, Secret, StoreError};

/// The tenant's name, and its user name for HTTP Basic.
pub const TENANT: &str = "development";
/// The key when none is given; good enough for loopback only.
pub const DEFAULT_KEY: &str = "development-key";

/// What the tenant starts with in each of [`CURRENCIES`], in whole units.
const OPENING: i64 = 1_000_000_000;
/// The currencies that the tenant can pay out in.
const CURRENCIES: [&str; 24] = [
    "AUD", "BHD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "INR",
    "JPY", "KRW", "KWD", "MXN", "NOK", "PLN", "SEK", "SGD", "TRY", "UAH", "USD",
];

/// Makes sure of the tenant, its key and its balances.
pub fn development(
    connection: &Connection,
    secret: &Secret,
    key: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let tenant = store::tenant(connection, TENANT)?;
    let key_hash = secret.hash(&[key.as_bytes()])?.to_vec();
    store::set_credential(
        connection,
        &Credential {
            tenant,
            username: TENANT.to_owned(),
            key_hash,
        },
    )?;
    for code in CURRENCIES {
        let currency = Currency::parse(code).map_err(|_| StoreError::Corrupt("currency"))?;
        let units = 10_i64.pow(u32::from(currency.scale()));
        let money = Money::new(OPENING.saturating_mul(units), currency);
        store::open_balance(connection, tenant, money, now)?;
    }
    Ok(())
}
