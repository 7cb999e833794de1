//! The fee that is added to what a customer pays: a percentage, and perhaps a fixed amount.

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
    /// Hundredths of the amount.
    #[serde(deserialize_with = "percentage")]
    percent: BigRational,
    /// What is added whatever the amount.
    #[serde(default, deserialize_with = "amount")]
    fixed: Option<Money>,
}

impl Fee {
    /// A fee of so many percent and a fixed amount.
    pub const fn new(percent: BigRational, fixed: Option<Money>) -> Self {
        Self { percent, fixed }
    }

    /// The part of the amount that is the fee.
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
