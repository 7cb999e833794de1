//! Calculates the cashback that a customer gets for a purchase.

use super::catalogue::Catalogue;
use super::money::Money;
use super::rational;

/// The percentage that channels with cashback give back.
const PERCENT: &str = "1.5";

/// The cashback of a purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cashback {
    /// The percentage of the amount.
    pub percent: &'static str,
    /// The amount of the cashback.
    pub amount: Money,
}

/// The cashback of a purchase on a channel; `None` when the channel has no cashback.
///
/// The exact amount is rounded once, half to even, to the currency's scale.
pub fn calculate(money: Money, channel: &str) -> Option<Cashback> {
    is_rewarded(channel).then(|| {
        let percent = rational::parse(PERCENT).unwrap_or_default();
        let reward = rational::units(money) * percent / rational::power_of_ten(2);
        let minor = rational::half_even(&rational::minor(&reward, money.currency()));
        Cashback {
            percent: PERCENT,
            // A part of an amount fits into the same integer as the amount.
            amount: Money::new(minor.try_into().unwrap_or_default(), money.currency()),
        }
    })
}

/// The percentage that the channel gives back; `None` when it has no cashback.
pub fn rate(channel: &str) -> Option<&'static str> {
    is_rewarded(channel).then_some(PERCENT)
}

fn is_rewarded(channel: &str) -> bool {
    let channel = Catalogue::seeded().channel(channel);
    channel.is_some_and(|channel| channel.cashback)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::amount;

    #[test]
    fn cashback_is_rounded_once_and_half_to_even() {
        let table = [
            ("99.99", "EUR", "1.50"),
            ("1.00", "EUR", "0.02"),
            ("0.33", "EUR", "0.00"),
            ("0.34", "EUR", "0.01"),
            ("3.00", "EUR", "0.04"),
            ("1500", "JPY", "22"),
            ("1700", "JPY", "26"),
            ("7.250", "KWD", "0.109"),
            ("92233720368547758.07", "EUR", "1383505805528216.37"),
        ];
        for (amount, currency, expected) in table {
            let money = amount::read(amount, currency).unwrap();
            let reward = calculate(money, "PCL_CARD").unwrap();
            assert_eq!(reward.amount.to_string(), expected, "{amount} {currency}");
        }
    }

    #[test]
    fn not_every_channel_has_cashback() {
        let money = amount::read("100.00", "EUR").unwrap();
        for channel in ["PCL_CRYPTO", "PCL_BANK_TRANSFER", "PCL_UNLISTED"] {
            assert_eq!((calculate(money, channel), rate(channel)), (None, None));
        }
        assert_eq!(rate("PCL_CARD"), Some("1.5"));
    }
}
