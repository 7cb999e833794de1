//! Renders amounts of money.

use merchant_payments::runtime::Decimal;

use crate::domain::money::Money;

/// An amount as decimal text.
pub fn decimal(money: Money) -> Option<Decimal> {
    Decimal::new(&money.to_string()).ok()
}
