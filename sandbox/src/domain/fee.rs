//! The authorization fee: a percentage of the amount and an optional fixed part.

use num_traits::Zero;
use serde::Deserialize;
use serde::de::Error;

use super::currency::Currency;
use super::money::Money;
use super::rate::{NoRate, Rates};
use super::rational::{self, BigRational};

/// One row of the fee schedule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fee {
    /// The percentage of the amount.
    #[serde(deserialize_with = "percentage")]
    percent: BigRational,
    /// The fixed part, in any currency.
    #[serde(default, deserialize_with = "amount")]
    fixed: Option<Money>,
}

impl Fee {
    /// A fee of a percentage and a fixed amount.
    pub const fn new(percent: BigRational, fixed: Option<Money>) -> Self {
        Self { percent, fixed }
    }

    /// The percentage as a fraction, such as 0.015 for 1.5 %.
    pub fn share(&self) -> BigRational {
        &self.percent / rational::power_of_ten(2)
    }

    /// The fixed part in units of `currency`, not rounded.
    pub fn fixed_in(&self, currency: Currency, rates: &Rates) -> Result<BigRational, NoRate> {
        let Some(fixed) = self.fixed else {
            return Ok(BigRational::zero());
        };
        let rate = rates.between(fixed.currency(), currency)?;
        Ok(rational::units(fixed) * rate.value())
    }
}

fn percentage<'de, D: serde::Deserializer<'de>>(source: D) -> Result<BigRational, D::Error> {
    let text = String::deserialize(source)?;
    rational::parse(&text).ok_or_else(|| D::Error::custom("not a percentage"))
}

fn amount<'de, D: serde::Deserializer<'de>>(source: D) -> Result<Option<Money>, D::Error> {
    #[derive(Deserialize)]
    struct Written {
        amount: String,
        currency: String,
    }
    let written = Written::deserialize(source)?;
    let currency = Currency::parse(&written.currency).map_err(D::Error::custom)?;
    let money = Money::parse(&written.amount, currency).map_err(D::Error::custom)?;
    Ok(Some(money))
}
