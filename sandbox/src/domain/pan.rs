//! Card numbers: parsed, inspected and forgotten. Nothing here can print or store one.

use zeroize::Zeroizing;

/// The allowed numbers of digits.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=19;

/// A card number: 12 to 19 digits, the last of which is a check digit.
///
/// It has no `Debug`, no `Display` and no serialization, so that it cannot reach a log, an error or
/// the database by accident.
#[expect(
    missing_debug_implementations,
    reason = "a card number is never printed"
)]
pub struct Pan {
    digits: Zeroizing<String>,
}

/// Why a text or an integer is not a card number. The error does not contain the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PanError {
    /// It contains characters other than digits.
    #[error("has something else than digits")]
    NotDigits,
    /// There are too few digits, or too many.
    #[error("has fewer than 12 or more than 19 digits")]
    Length,
    /// The check digit does not match.
    #[error("has a wrong check digit")]
    CheckDigit,
}

impl Pan {
    /// Parses digits without separators.
    pub fn parse(text: &str) -> Result<Self, PanError> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(PanError::NotDigits);
        }
        if !LENGTHS.contains(&text.len()) {
            return Err(PanError::Length);
        }
        if checksum(text) != 0 {
            return Err(PanError::CheckDigit);
        }
        Ok(Self {
            digits: Zeroizing::new(text.to_owned()),
        })
    }

    /// Parses an integer. No card number begins with a zero, so no digit is lost.
    pub fn from_integer(number: u64) -> Result<Self, PanError> {
        Self::parse(&Zeroizing::new(number.to_string()))
    }

    /// All digits, for a keyed hash or a comparison.
    pub fn expose(&self) -> &str {
        &self.digits
    }

    /// The number of digits.
    pub fn length(&self) -> usize {
        self.digits.len()
    }

    /// The first six digits, which identify the issuer.
    pub fn bin(&self) -> &str {
        &self.digits[..6]
    }

    /// The last four digits, by which people recognize their card.
    pub fn last4(&self) -> &str {
        &self.digits[self.digits.len() - 4..]
    }
}

/// The Luhn sum modulo ten: zero for valid numbers.
fn checksum(digits: &str) -> u32 {
    let sum: u32 = digits
        .bytes()
        .rev()
        .map(|byte| u32::from(byte - b'0'))
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => digit,
            (_, double) => double / 10 + double % 10,
        })
        .sum();
    sum % 10
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_parsed_or_refused() {
        let table = [
            ("4111111111111111", None),
            ("501800000009", None),
            ("6205500000000000004", None),
            ("4111111111111112", Some(PanError::CheckDigit)),
            ("1111111111111114", Some(PanError::CheckDigit)),
            ("41111111111", Some(PanError::Length)),
            ("62055000000000000040", Some(PanError::Length)),
            ("4111 1111 1111 1111", Some(PanError::NotDigits)),
            ("411111111111111１", Some(PanError::NotDigits)),
            ("-4111111111111111", Some(PanError::NotDigits)),
            ("", Some(PanError::NotDigits)),
        ];
        for (text, expected) in table {
            assert_eq!(Pan::parse(text).err(), expected, "{text}");
        }
    }

    #[test]
    fn integers_keep_every_digit() {
        for (number, last4) in [
            (4_111_111_111_111_111, "1111"),
            // The first exceeds the exact range of a double, the second a signed integer of 64
            // bits.
            (6_205_500_000_000_000_004, "0004"),
            (9_792_030_000_000_000_007, "0007"),
        ] {
            let pan = Pan::from_integer(number).ok().map(|pan| {
                assert_eq!(pan.expose(), number.to_string());
                pan.last4().to_owned()
            });
            assert_eq!(pan.as_deref(), Some(last4), "{number}");
        }
        assert_eq!(Pan::from_integer(0).err(), Some(PanError::Length));
    }

    proptest! {
        #[test]
        fn one_wrong_digit_is_always_found(
            digits in "[1-9][0-9]{10,17}", place in 0_usize..19, off in 1_u8..10,
        ) {
            let check = (0..10).map(|last| format!("{digits}{last}")).find(|text| checksum(text) == 0);
            let right = check.unwrap();
            prop_assert!(Pan::parse(&right).is_ok());
            let place = place % right.len();
            let mut wrong = right.into_bytes();
            wrong[place] = (wrong[place] - b'0' + off) % 10 + b'0';
            let wrong = String::from_utf8(wrong).unwrap();
            prop_assert_eq!(Pan::parse(&wrong).err(), Some(PanError::CheckDigit));
        }
    }
}
