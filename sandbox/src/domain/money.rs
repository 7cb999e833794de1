//! Amounts of money: integers of minor units, parsed from and formatted as decimal text.

use std::fmt;

use super::currency::Currency;

/// The most digits of an amount before the decimal point.
const WHOLE_DIGITS: usize = 18;
/// The most digits of an amount after the decimal point, trailing zeros included.
const FRACTION_DIGITS: usize = 18;

/// An amount in minor units of its currency; it may be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Money {
    minor: i64,
    currency: Currency,
}

/// Why the text of an amount is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// The text is not a plain decimal number.
    #[error("an amount is digits with at most one decimal point, without sign or exponent")]
    Grammar,
    /// The text has non-zero digits beyond the minor unit.
    #[error("{currency} has {scale} decimal places, and an amount is never rounded", scale = currency.scale())]
    TooPrecise {
        /// The currency whose scale is exceeded.
        currency: Currency,
    },
    /// The amount exceeds what the ledger can store.
    #[error("the amount is too large")]
    TooLarge,
}

impl Money {
    /// An amount of `minor` minor units.
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Parses decimal text such as `10`, `10.5` or `10.50`.
    ///
    /// Digits after the currency's scale are accepted when they are zeros.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, AmountError> {
        let (whole, fraction) = split(text)?;
        let scale = usize::from(currency.scale());
        let (kept, excess) = fraction.split_at(fraction.len().min(scale));
        if excess.bytes().any(|digit| digit != b'0') {
            return Err(AmountError::TooPrecise { currency });
        }
        let digits = whole.bytes().chain(kept.bytes());
        let padding = std::iter::repeat_n(b'0', scale - kept.len());
        let minor = digits.chain(padding).fold(0_i128, |value, digit| {
            // At most 18 + 4 digits: far below what an i128 holds.
            value * 10 + i128::from(digit - b'0')
        });
        i64::try_from(minor)
            .map(|minor| Self { minor, currency })
            .map_err(|_| AmountError::TooLarge)
    }

    /// The number of minor units.
    pub const fn minor(self) -> i64 {
        self.minor
    }

    /// The currency.
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// The amount with the opposite sign; `None` on overflow.
    pub fn negated(self) -> Option<Self> {
        self.minor.checked_neg().map(|minor| Self { minor, ..self })
    }
}

/// Formats the amount with exactly as many decimal places as the currency has.
impl fmt::Display for Money {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = usize::from(self.currency.scale());
        let sign = if self.minor < 0 { "-" } else { "" };
        let digits = format!("{:0>width$}", self.minor.unsigned_abs(), width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let point = if scale == 0 { "" } else { "." };
        write!(formatter, "{sign}{whole}{point}{fraction}")
    }
}

/// Splits `whole[.fraction]`, refusing everything that is not plain decimal text.
fn split(text: &str) -> Result<(&str, &str), AmountError> {
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return Err(AmountError::Grammar),
        Some(parts) => parts,
        None => (text, ""),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || leading_zero || !digits(whole) || !digits(fraction) {
        return Err(AmountError::Grammar);
    }
    if whole.len() > WHOLE_DIGITS {
        return Err(AmountError::TooLarge);
    }
    if fraction.len() > FRACTION_DIGITS {
        return Err(AmountError::Grammar);
    }
    Ok((whole, fraction))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::parse(code).unwrap()
    }

    fn minor(text: &str, code: &str) -> Result<i64, AmountError> {
        Money::parse(text, currency(code)).map(Money::minor)
    }

    #[test]
    fn decimal_text_becomes_minor_units() {
        let table = [
            ("10.00", "EUR", 1000),
            ("10", "EUR", 1000),
            ("10.5", "EUR", 1050),
            ("0.01", "EUR", 1),
            ("10.5000", "EUR", 1050),
            ("500", "JPY", 500),
            ("500.00", "JPY", 500),
            ("1.234", "KWD", 1234),
            ("1.2345", "CLF", 12345),
            ("92233720368547758.07", "EUR", i64::MAX),
        ];
        for (text, code, expected) in table {
            assert_eq!(minor(text, code), Ok(expected), "{text} {code}");
        }
    }

    #[test]
    fn an_invalid_amount_is_refused() {
        let texts = [
            "", ".", "1.", ".5", "-1", "+1", "1e3", " 1", "1 ", "01", "00.1", "1,5", "1.2.3",
            "0x1", "NaN", "١",
        ];
        for text in texts {
            assert_eq!(minor(text, "EUR"), Err(AmountError::Grammar), "{text:?}");
        }
        for text in [
            "92233720368547758.08",
            "999999999999999999",
            "1234567890123456789",
        ] {
            assert_eq!(minor(text, "EUR"), Err(AmountError::TooLarge), "{text}");
        }
        for (text, code) in [("1.001", "EUR"), ("1.5", "JPY"), ("1.0001", "KWD")] {
            let currency = currency(code);
            assert_eq!(
                minor(text, code),
                Err(AmountError::TooPrecise { currency }),
                "{text}"
            );
        }
    }

    #[test]
    fn amounts_are_formatted_at_the_scale_of_their_currency() {
        let written = |minor, code| Money::new(minor, currency(code)).to_string();
        assert_eq!(written(1000, "EUR"), "10.00");
        assert_eq!(written(5, "EUR"), "0.05");
        assert_eq!(written(-5, "EUR"), "-0.05");
        assert_eq!(written(5, "JPY"), "5");
        assert_eq!(written(5, "KWD"), "0.005");
        assert_eq!(written(i64::MIN, "EUR"), "-92233720368547758.08");
    }

    proptest! {
        #[test]
        fn writing_and_reading_agree(minor in 0..i64::MAX, code in "EUR|JPY|KWD|CLF") {
            let money = Money::new(minor, currency(&code));
            let text = money.to_string();
            // The largest amounts of currencies without decimals exceed the 18 digits of the grammar.
            if text.split('.').next().is_some_and(|whole| whole.len() <= WHOLE_DIGITS) {
                prop_assert_eq!(Money::parse(&text, money.currency()), Ok(money));
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = Money::parse(&text, currency("EUR"));
        }
    }
}
