//! Prices: the converted order, the fee on it, and their sum, which is rounded once.

use num_traits::{One, ToPrimitive};

use super::currency::Currency;
use super::fee::Fee;
use super::money::Money;
use super::rate::{NoRate, Rate, Rates};
use super::rational::{self, BigRational};

/// The fee and the rate of an order on one channel.
#[derive(Clone, Debug)]
pub struct Terms {
    currency: Currency,
    order_currency: Currency,
    rate: Rate,
    share: BigRational,
    fixed: BigRational,
}

/// The amount exceeds what the ledger can store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the amount is too large")]
pub struct TooLarge;

/// The parts of the amount that a customer authorizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The order in the currency of the authorization.
    pub base: Money,
    /// The fee.
    pub fee: Money,
    /// The sum of both.
    pub amount: Money,
}

impl Terms {
    /// The terms for orders in `order` that are authorized in `authorization`; both may be equal.
    pub fn new(
        fee: &Fee,
        order_currency: Currency,
        currency: Currency,
        rates: &Rates,
    ) -> Result<Self, NoRate> {
        Ok(Self {
            currency,
            order_currency,
            rate: rates.between(order_currency, currency)?,
            share: fee.share(),
            fixed: rational::minor(&fee.fixed_in(currency, rates)?, currency),
        })
    }

    /// The exchange rate.
    pub const fn rate(&self) -> &Rate {
        &self.rate
    }

    /// The amount that a customer authorizes for an order.
    ///
    /// The sum of the converted order and the fee is rounded once, half to even; its two parts are
    /// whole minor units that add up to it.
    pub fn price(&self, order: Money) -> Result<Price, TooLarge> {
        let base = self.slope() * BigRational::from_integer(order.minor().into());
        let fee = &base * &self.share + &self.fixed;
        let [base, fee] = rational::apportion(&[base, fee]).map(|part| part.to_i64());
        let (base, fee) = (base.ok_or(TooLarge)?, fee.ok_or(TooLarge)?);
        let amount = base.checked_add(fee).ok_or(TooLarge)?;
        let money = |minor| Money::new(minor, self.currency);
        Ok(Price {
            base: money(base),
            fee: money(fee),
            amount: money(amount),
        })
    }

    /// The largest order that costs at most `amount`; `None` when even the smallest order costs
    /// more.
    pub fn order_within(&self, amount: Money) -> Result<Option<Money>, TooLarge> {
        let steepness = self.slope() * (BigRational::one() + &self.share);
        let half = BigRational::new(1.into(), 2.into());
        let limit = BigRational::from_integer(amount.minor().into()) + half;
        let mut order = ((&limit - &self.fixed) / &steepness).floor();
        // At exactly one half, an odd amount would be rounded up and exceed itself.
        if &order * &steepness + &self.fixed == limit && amount.minor() % 2 != 0 {
            order -= BigRational::one();
        }
        let order = order.to_integer().to_i64().ok_or(TooLarge)?;
        Ok((order > 0).then(|| Money::new(order, self.order_currency)))
    }

    /// Minor units of the authorization for one minor unit of the order.
    fn slope(&self) -> BigRational {
        let scale = |currency: Currency| rational::power_of_ten(usize::from(currency.scale()));
        self.rate.value() * scale(self.currency) / scale(self.order_currency)
    }
}

/// The fee and the sum for the captured part of an order. Both are in proportion; the sum is
/// rounded once, half to even, and split by largest remainder. `None` when the order is zero or on
/// overflow.
pub fn captured_part(
    fee: Money,
    whole: Money,
    taken: Money,
    order: Money,
) -> Option<(Money, Money)> {
    let base = whole.minor().checked_sub(fee.minor())?;
    let share = |minor: i64| {
        let product = BigRational::from_integer(minor.into()) * rational::units(taken);
        (order.minor() > 0).then(|| product / rational::units(order))
    };
    let [base, part] = rational::apportion(&[share(base)?, share(fee.minor())?]);
    let money = |minor: &num_bigint::BigInt| Some(Money::new(minor.to_i64()?, whole.currency()));
    Some((money(&part)?, money(&(base + &part))?))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use proptest::prelude::*;

    use super::*;

    fn money(text: &str, code: &str) -> Money {
        Money::parse(text, Currency::parse(code).unwrap()).unwrap()
    }

    fn terms(percent: &str, fixed: Option<Money>, order: &str, authorization: &str) -> Terms {
        let fee = Fee::new(rational::parse(percent).unwrap(), fixed);
        let currency = |code| Currency::parse(code).unwrap();
        Terms::new(
            &fee,
            currency(order),
            currency(authorization),
            Rates::seeded(),
        )
        .unwrap()
    }

    #[test]
    fn the_fee_is_added_and_the_sum_is_rounded_once() {
        let fixed = Some(money("0.25", "EUR"));
        let table = [
            (
                "1.9",
                fixed,
                "100.00",
                "EUR",
                "EUR",
                ["100.00", "2.15", "102.15"],
            ),
            (
                "1.9",
                fixed,
                "100.00",
                "EUR",
                "USD",
                ["108.50", "2.33", "110.83"],
            ),
            // 0.5 % of 1.00 is half a cent: 1.005 is rounded to the even 1.00.
            ("0.5", None, "1.00", "EUR", "EUR", ["1.00", "0.00", "1.00"]),
            ("0.5", None, "3.00", "EUR", "EUR", ["3.00", "0.02", "3.02"]),
            ("2", None, "0.02", "EUR", "JPY", ["3", "0", "3"]),
            ("0", fixed, "10", "JPY", "KWD", ["0.021", "0.083", "0.104"]),
        ];
        for (percent, fixed, order, from, to, expected) in table {
            let price = terms(percent, fixed, from, to)
                .price(money(order, from))
                .unwrap();
            let actual = [price.base, price.fee, price.amount].map(|part| part.to_string());
            assert_eq!(actual, expected, "{percent} % on {order} {from} in {to}");
        }
    }

    #[test]
    fn amounts_that_overflow_are_refused() {
        let largest = Money::new(i64::MAX, Currency::parse("EUR").unwrap());
        assert_eq!(terms("1", None, "EUR", "EUR").price(largest), Err(TooLarge));
        assert_eq!(
            terms("0", None, "EUR", "EUR").price(largest).map(|_| ()),
            Ok(())
        );
        let yen = Money::new(i64::MAX, Currency::parse("JPY").unwrap());
        assert_eq!(
            terms("0", None, "KWD", "JPY").order_within(yen),
            Err(TooLarge)
        );
    }

    #[test]
    fn an_amount_below_the_smallest_price_buys_nothing() {
        let terms = terms("0", Some(money("0.25", "EUR")), "EUR", "EUR");
        let within = |text| terms.order_within(money(text, "EUR")).unwrap();
        assert_eq!(within("0.25"), None);
        assert_eq!(within("0.26"), Some(money("0.01", "EUR")));
    }

    /// An independent model of the same sums in integers over one common denominator. It shares no
    /// code with the rules. The order's currency has at most four decimal places.
    struct Model {
        /// The converted order, for one minor unit.
        base: BigInt,
        /// The percentage fee on it.
        share: BigInt,
        /// The fixed fee.
        fixed: BigInt,
        denominator: BigInt,
    }

    impl Model {
        /// Takes `rate` and `fixed_rate` in units of 10^-18, `percent` in thousandths, `fixed` in
        /// cents.
        fn new(rate: &str, fixed_rate: &str, percent: u32, fixed: i64, scales: (u8, u8)) -> Self {
            let places = |text: &str| -> BigInt {
                let (whole, fraction) = text.split_once('.').unwrap();
                format!("{whole}{fraction:0<18}").parse().unwrap()
            };
            let ten = |exponent: u32| BigInt::from(10).pow(exponent);
            let (from, to) = (u32::from(scales.0), u32::from(scales.1));
            // The denominator is 10^(18 + 5 + 4 + 2): rates, percentages, the order's scale, cents.
            let base = places(rate) * ten(to) * ten(5 + 4 + 2 - from);
            Self {
                share: &base * percent / ten(5),
                base,
                fixed: places(fixed_rate) * fixed * ten(to) * ten(5 + 4 + 2 - 2),
                denominator: ten(18 + 5 + 4 + 2),
            }
        }

        fn total(&self, order: i64) -> BigInt {
            let total = (&self.base + &self.share) * order + &self.fixed;
            let (whole, rest) = (&total / &self.denominator, &total % &self.denominator);
            let odd = &whole % BigInt::from(2) == BigInt::from(1);
            let twice: BigInt = rest * 2;
            if twice > self.denominator || (twice == self.denominator && odd) {
                whole + 1
            } else {
                whole
            }
        }
    }

    fn cases() -> impl Strategy<Value = (String, String, u32, i64)> {
        let order = "EUR|USD|JPY|KWD|KRW|BHD|UAH|ISK";
        let authorization = "EUR|USD|JPY|KWD|KRW|BHD|UAH|ISK|BTC";
        (order, authorization, 0..10_000_u32, 0..1_000_i64)
    }

    fn both((order, authorization, percent, fixed): &(String, String, u32, i64)) -> (Terms, Model) {
        let currency = |code: &str| Currency::parse(code).unwrap();
        let (order, authorization) = (currency(order), currency(authorization));
        let text = format!("{}.{:03}", percent / 1000, percent % 1000);
        let fixed_fee = Money::new(*fixed, currency("EUR"));
        let fee = Fee::new(rational::parse(&text).unwrap(), Some(fixed_fee));
        let terms = Terms::new(&fee, order, authorization, Rates::seeded()).unwrap();
        let of_fixed = Rates::seeded()
            .between(currency("EUR"), authorization)
            .unwrap();
        let scales = (order.scale(), authorization.scale());
        let model = Model::new(
            terms.rate().as_str(),
            of_fixed.as_str(),
            *percent,
            *fixed,
            scales,
        );
        (terms, model)
    }

    proptest! {
        #[test]
        fn prices_equal_those_of_the_model(case in cases(), order in 1..1_000_000_000_000_i64) {
            let (terms, model) = both(&case);
            let order = Money::new(order, terms.order_currency);
            let Ok(price) = terms.price(order) else {
                prop_assert!(model.total(order.minor()) > BigInt::from(i64::MAX));
                return Ok(());
            };
            prop_assert_eq!(BigInt::from(price.amount.minor()), model.total(order.minor()));
            prop_assert_eq!(price.base.minor() + price.fee.minor(), price.amount.minor());
            prop_assert!(price.fee.minor() >= 0 && price.base.minor() >= 0);
            if case.0 == case.1 {
                prop_assert_eq!(price.base, order);
            }
        }

        #[test]
        fn an_order_within_an_amount_is_the_largest(case in cases(), amount in 1..1_000_000_000_000_i64) {
            let (terms, model) = both(&case);
            let amount = Money::new(amount, terms.currency);
            let found = terms.order_within(amount);
            prop_assume!(found.is_ok());
            let order = found.unwrap().map_or(0, Money::minor);
            let limit = BigInt::from(amount.minor());
            prop_assert!(order == 0 || model.total(order) <= limit);
            prop_assert!(model.total(order + 1) > limit);
        }
    }
}
