//! Exact arithmetic with fractions of integers of any size, rounded once at the end.

use std::cmp::Reverse;

use num_bigint::BigInt;
use num_integer::Integer;
pub use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

use super::currency::Currency;
use super::money::Money;

/// Parses plain decimal text: digits with at most one decimal point.
pub fn parse(text: &str) -> Option<BigRational> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || text.ends_with('.') || !digits(whole) || !digits(fraction) {
        return None;
    }
    let number = format!("{whole}{fraction}").parse().ok()?;
    Some(BigRational::new(number, power_of_ten(fraction.len())))
}

/// An amount in whole units of its currency.
pub fn units(money: Money) -> BigRational {
    let scale = usize::from(money.currency().scale());
    BigRational::new(money.minor().into(), power_of_ten(scale))
}

/// Converts units of a currency to its minor units, without rounding.
pub fn minor(units: &BigRational, currency: Currency) -> BigRational {
    units * power_of_ten(usize::from(currency.scale()))
}

/// The nearest integer; a half is rounded to the even neighbour.
pub fn half_even(value: &BigRational) -> BigInt {
    let (floor, rest) = value.numer().div_mod_floor(value.denom());
    let twice: BigInt = rest * 2;
    let up = twice > *value.denom() || (twice == *value.denom() && floor.is_odd());
    if up { floor + 1 } else { floor }
}

/// Rounds `parts` to integers whose sum is the rounded sum of the parts.
///
/// Each part is rounded down. The missing units go, one each, to the parts with the largest
/// remainders, and among equals to the earlier ones.
pub fn apportion<const N: usize>(parts: &[BigRational; N]) -> [BigInt; N] {
    let total = half_even(&parts.iter().sum());
    let mut whole = parts.each_ref().map(|part| part.floor().to_integer());
    let mut order: [usize; N] = std::array::from_fn(|index| index);
    order.sort_by_key(|&index| Reverse(&parts[index] - parts[index].floor()));
    let mut missing = total - whole.iter().sum::<BigInt>();
    for index in order {
        if missing.is_positive() {
            whole[index] += 1;
            missing -= 1;
        }
    }
    debug_assert!(missing.is_zero(), "at most one unit per part is missing");
    whole
}

/// Decimal text of a non-negative value with `places` digits after the point, rounded half to even.
pub fn decimal_text(value: &BigRational, places: usize) -> String {
    let digits = half_even(&(value * power_of_ten(places))).to_string();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let point = if places == 0 { "" } else { "." };
    format!("{whole}{point}{fraction}")
}

/// Ten to the power of `exponent`.
pub fn power_of_ten(exponent: usize) -> BigInt {
    BigInt::from(10).pow(exponent)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn halves_go_to_the_even_neighbour() {
        let table = [
            (1, 2, 0),
            (3, 2, 2),
            (5, 2, 2),
            (7, 2, 4),
            (-1, 2, 0),
            (-3, 2, -2),
            (4, 3, 1),
            (5, 3, 2),
            (6, 3, 2),
        ];
        for (numerator, denominator, expected) in table {
            let rounded = half_even(&value(numerator, denominator));
            assert_eq!(rounded, BigInt::from(expected), "{numerator}/{denominator}");
        }
    }

    #[test]
    fn decimal_text_is_read_and_written_exactly() {
        for text in ["0", "1", "0.1", "1.08500000", "1489.82000000", "0.00001666"] {
            let places = text.split_once('.').map_or(0, |(_, places)| places.len());
            assert_eq!(decimal_text(&parse(text).unwrap(), places), text);
        }
        for text in ["", ".", "1.", ".1", "-1", "+1", "1e3", "1,0", " 1", "1.1.1"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!(decimal_text(&value(2, 3), 8), "0.66666667");
    }

    #[test]
    fn the_rest_goes_to_the_largest_remainder() {
        let parts = [value(10, 3), value(10, 3), value(10, 3)];
        assert_eq!(apportion(&parts), [4, 3, 3].map(BigInt::from));
        let parts = [value(100, 1), value(7, 4)];
        assert_eq!(apportion(&parts), [100, 2].map(BigInt::from));
        let parts = [value(3, 10), value(1, 10)];
        assert_eq!(apportion(&parts), [0, 0].map(BigInt::from));
    }

    proptest! {
        #[test]
        fn parts_sum_to_the_rounded_total(
            numerators in proptest::array::uniform4(0..i64::MAX),
            denominators in proptest::array::uniform4(1..1_000_000_i64),
        ) {
            let parts: [BigRational; 4] = std::array::from_fn(|index| value(numerators[index], denominators[index]));
            let whole = apportion(&parts);
            prop_assert_eq!(whole.iter().sum::<BigInt>(), half_even(&parts.iter().sum()));
            for (whole, part) in whole.iter().zip(&parts) {
                let off = (BigRational::from(whole.clone()) - part).abs();
                prop_assert!(off < value(1, 1));
            }
        }
    }
}
