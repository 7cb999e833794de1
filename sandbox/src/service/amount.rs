//! The amount of a command on an existing transaction.

use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::transaction::Transaction;
use crate::domain::{Code, Rejection};

/// Amount and currency as the caller wrote them; either may be absent.
#[derive(Clone, Debug, Default)]
pub struct Amount {
    /// The amount; everything there is when absent.
    pub amount: Option<String>,
    /// The currency; that of the transaction when absent.
    pub currency: Option<String>,
}

impl Amount {
    /// Reads the amount for a transaction, whose currency it has to have.
    pub(super) fn read(&self, transaction: &Transaction) -> Result<Option<Money>, Rejection> {
        let currency = transaction.money.currency();
        if self
            .currency
            .as_deref()
            .is_some_and(|given| given != currency.code())
        {
            let detail = format!("the transaction is in {currency}");
            return Err(Rejection::at(Code::AmountRule, "/currency", detail));
        }
        let read = |text: &String| {
            Money::parse(text, currency)
                .map_err(|error| Rejection::at(Code::AmountRule, "/amount", error.to_string()))
        };
        self.amount.as_ref().map(read).transpose()
    }
}

/// Reads an amount that comes with its own currency.
pub fn read(amount: &str, currency: &str) -> Result<Money, Rejection> {
    let currency = Currency::parse(currency)
        .map_err(|error| Rejection::at(Code::AmountRule, "/currency", error.to_string()))?;
    Money::parse(amount, currency)
        .map_err(|error| Rejection::at(Code::AmountRule, "/amount", error.to_string()))
}
