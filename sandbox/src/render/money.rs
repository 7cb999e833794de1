//! Money in the models of the contract.

use merchant_payments::runtime::Decimal;

use crate::domain::money::Money;

/// An amount as text.
pub fn decimal(money: Money) -> Option<Decimal> {
    Decimal::new(&money.to_string()).ok()
}
