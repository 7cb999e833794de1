//! Exchange rates: published as decimal text and applied exactly as published.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::{SignedDuration, Timestamp};
use num_traits::One;
use serde::Deserialize;

use super::currency::Currency;
use super::rational::{self, BigRational};

/// The fewest decimal places, and the fewest significant digits, of a rate.
const PLACES: usize = 8;
/// The most decimal places of a rate.
const MOST_PLACES: usize = 18;

/// The price of one unit of a currency in another currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    text: String,
    value: BigRational,
}

/// The prices of one unit of a reference currency in other currencies.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rates {
    reference: String,
    lifetime_seconds: i64,
    per_reference: BTreeMap<String, String>,
}

/// No rate exists between two currencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rate from {from} to {to}")]
pub struct NoRate {
    /// The currency to convert from.
    pub from: Currency,
    /// The currency to convert to.
    pub to: Currency,
}

impl Rate {
    /// Parses a published rate; `None` unless the text is a positive decimal.
    pub fn parse(text: &str) -> Option<Self> {
        let value = rational::parse(text).filter(|value| *value > BigRational::default())?;
        let text = text.to_owned();
        Some(Self { text, value })
    }

    /// The rate as published.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The exact value of the text.
    pub const fn value(&self) -> &BigRational {
        &self.value
    }

    /// Rounds a value to eight decimal places; a value below 0.1 gets more places, so that it keeps
    /// eight significant digits.
    fn publish(value: &BigRational) -> Option<Self> {
        let mut places = PLACES;
        let mut bound = BigRational::one() / BigRational::from(rational::power_of_ten(1));
        while *value < bound && places < MOST_PLACES {
            bound /= rational::power_of_ten(1);
            places += 1;
        }
        Self::parse(&rational::decimal_text(value, places))
    }
}

impl Rates {
    /// The seeded rates.
    pub fn seeded() -> &'static Self {
        static RATES: LazyLock<Rates> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../seed/rates.json"))
                .expect("the rates are read by a test")
        });
        &RATES
    }

    /// The price of one unit of `from` in `to`.
    pub fn between(&self, from: Currency, to: Currency) -> Result<Rate, NoRate> {
        let missing = NoRate { from, to };
        let (price, per) = (self.price(to), self.price(from));
        let value = match (price, per) {
            _ if from == to => BigRational::one(),
            (Some(price), Some(per)) => price / per,
            _ => return Err(missing),
        };
        Rate::publish(&value).ok_or(missing)
    }

    /// When a rate that is issued now expires.
    pub fn expiry(&self, now: Timestamp) -> Timestamp {
        let lifetime = SignedDuration::from_secs(self.lifetime_seconds);
        now.checked_add(lifetime).unwrap_or(Timestamp::MAX)
    }

    /// The price of one unit of the reference currency; `None` when it is unknown.
    fn price(&self, currency: Currency) -> Option<BigRational> {
        if self.reference == currency.code() {
            return Some(BigRational::one());
        }
        rational::parse(self.per_reference.get(currency.code())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::parse(code).unwrap()
    }

    #[test]
    fn every_seeded_rate_parses() {
        let rates = Rates::seeded();
        let reference = currency(&rates.reference);
        for (code, text) in &rates.per_reference {
            let rate = rates.between(reference, currency(code)).unwrap();
            assert_eq!(
                Rate::parse(text).map(|rate| rate.value),
                Some(rate.value),
                "{code}"
            );
        }
        assert!(rates.expiry(Timestamp::UNIX_EPOCH) > Timestamp::UNIX_EPOCH);
    }

    #[test]
    fn a_rate_has_eight_significant_digits() {
        let table = [
            ("EUR", "EUR", "1.00000000"),
            ("EUR", "USD", "1.08500000"),
            ("USD", "EUR", "0.92165899"),
            ("EUR", "BTC", "0.000016660000"),
            ("BTC", "KRW", "89424969.98799520"),
            ("KRW", "KWD", "0.00022379885"),
        ];
        for (from, to, expected) in table {
            let rate = Rates::seeded()
                .between(currency(from), currency(to))
                .unwrap();
            assert_eq!(rate.as_str(), expected, "{from} {to}");
        }
    }

    #[test]
    fn a_currency_without_a_price_has_no_rate() {
        let (from, to) = (currency("EUR"), currency("XPF"));
        assert_eq!(Rates::seeded().between(from, to), Err(NoRate { from, to }));
    }
}
