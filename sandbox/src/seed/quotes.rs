//! The initial quote of a merchant, which has expired, for the contract's examples.

use jiff::Timestamp;
use uuid::Uuid;

use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::quote::Quote;
use crate::domain::rate::Rate;
use crate::domain::state::Kind;
use crate::store::{Connection, StoreError, Tenant, quotes};

/// The id of the quote, which is never removed.
pub const EXPIRED_SESSION: Uuid = Uuid::from_u128(0x0000_0000_0000_4000_8000_0000_0000_1414);

/// Adds the quote, which expires at once.
pub(super) fn add(
    connection: &Connection,
    tenant: Tenant,
    now: Timestamp,
) -> Result<(), StoreError> {
    let currency = |code| Currency::parse(code).map_err(|_| StoreError::Corrupt("currency"));
    let (order, authorization) = (currency("EUR")?, currency("USD")?);
    let money = |minor| Money::new(minor, authorization);
    let quote = Quote {
        id: EXPIRED_SESSION,
        channel: "PCL_CARD".to_owned(),
        organization: None,
        kind: Kind::Purchase,
        merchant_transaction_id: None,
        order: Money::new(10_000, order),
        base: money(10_850),
        fee: money(217),
        amount: money(11_067),
        rate: Rate::parse("1.08500000").ok_or(StoreError::Corrupt("rate"))?,
        expires_at: now,
    };
    quotes::insert(connection, tenant, &quote)
}
