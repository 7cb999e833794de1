//! Parses amounts and currencies as callers write them.

use super::currency::Currency;
use super::money::Money;
use super::rejection::{Code, Rejection};

/// The amount of a command on an existing transaction; either part may be absent.
#[derive(Clone, Debug, Default)]
pub struct RequestedAmount {
    /// The amount; the whole remaining amount when absent.
    pub amount: Option<String>,
    /// The currency; the transaction's currency when absent.
    pub currency: Option<String>,
}

impl RequestedAmount {
    /// Parses the amount in the transaction's currency; a different `currency` is refused.
    pub fn read(&self, currency: Currency) -> Result<Option<Money>, Rejection> {
        if self
            .currency
            .as_deref()
            .is_some_and(|given| given != currency.code())
        {
            let detail = format!("the currency is not that of the transaction, {currency}");
            return Err(Rejection::at(Code::AmountRule, "/currency", detail));
        }
        self.amount
            .as_deref()
            .map(|amount| positive(amount, currency, "/amount"))
            .transpose()
    }
}

/// Parses an amount that comes with its currency; zero is refused.
pub fn read(amount: &str, currency: &str) -> Result<Money, Rejection> {
    positive(amount, self::currency(currency, "/currency")?, "/amount")
}

/// Parses a currency code; a refusal points to `pointer`.
pub fn currency(code: &str, pointer: &str) -> Result<Currency, Rejection> {
    Currency::parse(code)
        .map_err(|error| Rejection::at(Code::AmountRule, pointer, error.to_string()))
}

/// Like [`read`], but zero is allowed.
pub fn read_or_nothing(amount: &str, currency: &str) -> Result<Money, Rejection> {
    let currency = Currency::parse(currency)
        .map_err(|error| Rejection::at(Code::AmountRule, "/currency", error.to_string()))?;
    Money::parse(amount, currency)
        .map_err(|error| Rejection::at(Code::AmountRule, "/amount", error.to_string()))
}

/// Parses an amount and a currency, each of which defaults to that of `whole`.
///
/// An amount in another currency cannot be guessed, so a different currency needs an amount.
pub fn read_part(
    amount: Option<&str>,
    currency: Option<&str>,
    whole: Money,
    pointer: &str,
) -> Result<(Option<Money>, Currency), Rejection> {
    let currency = match currency {
        Some(code) => Currency::parse(code).map_err(|error| {
            let pointer = format!("{pointer}/currency");
            Rejection::at(Code::AmountRule, &pointer, error.to_string())
        })?,
        None => whole.currency(),
    };
    let money = match amount {
        Some(amount) => Some(positive(amount, currency, &format!("{pointer}/amount"))?),
        None => Some(whole).filter(|whole| whole.currency() == currency),
    };
    Ok((money, currency))
}

/// Parses an amount greater than zero; a refusal points to `pointer`.
pub fn positive(amount: &str, currency: Currency, pointer: &str) -> Result<Money, Rejection> {
    let money = Money::parse(amount, currency)
        .map_err(|error| Rejection::at(Code::AmountRule, pointer, error.to_string()))?;
    if money.minor() == 0 {
        return Err(Rejection::at(
            Code::AmountRule,
            pointer,
            "the amount has to be more than zero",
        ));
    }
    Ok(money)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_amount_is_refused_at_its_place() {
        let eur = Currency::parse("EUR").unwrap();
        let wanted = |amount: &str, currency: &str| RequestedAmount {
            amount: Some(amount.to_owned()),
            currency: Some(currency.to_owned()),
        };
        assert_eq!(
            wanted("1.5", "EUR").read(eur),
            Ok(Some(Money::new(150, eur)))
        );
        assert_eq!(RequestedAmount::default().read(eur), Ok(None));
        let table = [
            ("0.00", "EUR", "/amount"),
            ("1.001", "EUR", "/amount"),
            ("1", "USD", "/currency"),
        ];
        for (amount, currency, pointer) in table {
            let refused = wanted(amount, currency).read(eur).unwrap_err();
            assert_eq!(
                (refused.code, refused.pointer.as_deref()),
                (Code::AmountRule, Some(pointer))
            );
        }
        assert_eq!(
            read("1", "XXX").unwrap_err().pointer.as_deref(),
            Some("/currency")
        );
    }
}
