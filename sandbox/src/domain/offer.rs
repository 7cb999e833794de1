//! Offers of providers for a payout: their prices and their expiry.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::money::Money;

/// How long an offer is valid.
pub const LIFETIME: SignedDuration = SignedDuration::from_mins(15);
/// The number of offers in each refresh.
pub const COUNT: usize = PROVIDERS.len();
/// Decimal places of crypto amounts.
const CRYPTO_SCALE: u32 = 8;

/// A provider of offers. Its prices are invented and never change.
#[derive(Debug, PartialEq, Eq)]
pub struct Provider {
    /// Its id.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its margin, in hundredths of a percent.
    margin: i64,
    /// Its network fee in the smallest crypto units.
    network_fee: i64,
}

/// The providers of the sandbox, cheapest first.
pub const PROVIDERS: [Provider; 2] = [
    Provider {
        id: "psp-one",
        name: "PSP One",
        margin: 0,
        network_fee: 1_000,
    },
    Provider {
        id: "psp-two",
        name: "PSP Two",
        margin: 16,
        network_fee: 800,
    },
];

/// An offer of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The attempt that the offer belongs to.
    pub attempt_id: Uuid,
    /// The number of the refresh, from 1.
    pub attempt_no: u32,
    /// The provider's id.
    pub provider_id: String,
    /// The terms that the merchant accepts with the offer.
    pub terms_uuid: Uuid,
    /// When it expires.
    pub expires_at: Timestamp,
    /// The payout's amount.
    pub amount_to_withdraw: Money,
    /// The amount that the recipient gets, in the smallest crypto units.
    pub crypto_amount: i64,
    /// The network's fee, in the smallest crypto units.
    pub crypto_network_fee: i64,
    /// Whether the merchant selected it.
    pub selected: bool,
}

impl Offer {
    /// Whether the offer is still valid.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        now < self.expires_at
    }

    /// The provider of the offer; `None` when it no longer exists.
    pub fn provider(&self) -> Option<&'static Provider> {
        PROVIDERS
            .iter()
            .find(|provider| provider.id == self.provider_id)
    }
}

/// Creates one offer per provider; `ids` gives each an attempt id and a terms id. `None` on
/// overflow.
pub fn make(
    money: Money,
    destination: Option<&str>,
    attempt_no: u32,
    ids: [(Uuid, Uuid); COUNT],
    now: Timestamp,
) -> Option<Vec<Offer>> {
    PROVIDERS
        .iter()
        .zip(ids)
        .map(|(provider, (attempt_id, terms_uuid))| {
            Some(Offer {
                attempt_id,
                attempt_no,
                provider_id: provider.id.to_owned(),
                terms_uuid,
                expires_at: now.checked_add(LIFETIME).ok()?,
                amount_to_withdraw: money,
                crypto_amount: convert(money, destination, provider)?,
                crypto_network_fee: provider.network_fee,
                selected: false,
            })
        })
        .collect()
}

/// A crypto amount as text, with all decimal places.
pub fn crypto_text(units: i64) -> String {
    let one = 10_i64.pow(CRYPTO_SCALE);
    let (whole, fraction) = (units / one, units % one);
    format!("{whole}.{fraction:08}")
}

/// Converts `money` to the smallest crypto units after the margin, rounded once and half to even.
fn convert(money: Money, destination: Option<&str>, provider: &Provider) -> Option<i64> {
    // The price of one crypto unit, in whole units of any currency.
    let price: i128 = match destination {
        Some("BTC") => 60_000,
        Some("ETH") => 3_000,
        _ => 1,
    };
    let crypto_units = 10_i128.pow(CRYPTO_SCALE);
    let numerator = i128::from(money.minor()) * crypto_units * i128::from(10_000 - provider.margin);
    let scale = 10_i128.pow(u32::from(money.currency().scale()));
    i64::try_from(half_even(numerator, scale * price * 10_000)).ok()
}

/// Division of non-negative numbers that rounds half to even.
const fn half_even(numerator: i128, denominator: i128) -> i128 {
    let (quotient, twice) = (numerator / denominator, numerator % denominator * 2);
    let up = twice > denominator || (twice == denominator && quotient % 2 == 1);
    if up { quotient + 1 } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::currency::Currency;

    #[test]
    fn halves_go_to_the_even_neighbour() {
        let table = [
            (5, 2, 2),
            (7, 2, 4),
            (9, 4, 2),
            (11, 4, 3),
            (0, 3, 0),
            (1, 2, 0),
            (3, 2, 2),
        ];
        for (numerator, denominator, expected) in table {
            assert_eq!(
                half_even(numerator, denominator),
                expected,
                "{numerator}/{denominator}"
            );
        }
    }

    #[test]
    fn offers_have_prices_and_an_expiry() {
        let money = Money::new(25_000, Currency::parse("USD").unwrap());
        let ids = [(Uuid::nil(), Uuid::max()); COUNT];
        let now = Timestamp::UNIX_EPOCH;
        let offers = make(money, Some("BTC"), 1, ids, now).unwrap();
        let amounts: Vec<_> = offers
            .iter()
            .map(|offer| crypto_text(offer.crypto_amount))
            .collect();
        assert_eq!(amounts, ["0.00416667", "0.00416000"]);
        assert!(
            offers
                .iter()
                .all(|offer| offer.is_valid(now) && !offer.is_valid(now + LIFETIME))
        );
        assert!(offers.iter().all(|offer| offer.provider().is_some()));
    }

    #[test]
    fn an_amount_that_overflows_gets_no_offer() {
        let money = Money::new(i64::MAX, Currency::parse("JPY").unwrap());
        let ids = [(Uuid::nil(), Uuid::max()); COUNT];
        assert_eq!(make(money, None, 1, ids, Timestamp::UNIX_EPOCH), None);
    }
}
