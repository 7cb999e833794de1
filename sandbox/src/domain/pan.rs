//! Card numbers. They are read, looked at and forgotten; nothing here can print or keep one.

use zeroize::Zeroizing;

/// The fewest and the most digits that a card number has.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=19;

/// A card number: 12 to 19 digits, of which the last one checks the others.
///
/// There is no `Debug`, no `Display` and no serialization, so that it cannot end up in a log, an
/// error or the database by accident.
#[expect(
    missing_debug_implementations,
    reason = "a card number is never printed"
)]
pub struct Pan {
    digits: Zeroizing<String>,
}

/// Why a text or a number is no card number. The number is not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PanError {
    /// There is something else than digits.
    #[error("has something else than digits")]
    NotDigits,
    /// There are too few digits, or too many.
    #[error("has fewer than 12 or more than 19 digits")]
    Length,
    /// The last digit does not fit the others.
    #[error("has a wrong check digit")]
    CheckDigit,
}

impl Pan {
    /// Reads a number that is written as text: digits, and nothing between them.
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

    /// Reads a number that is written as an integer. No card's number begins with a zero, so none is
    /// lost.
    pub fn from_integer(number: u64) -> Result<Self, PanError> {
        Self::parse(&Zeroizing::new(number.to_string()))
    }

    /// All digits, for a keyed hash or a comparison.
    pub fn expose(&self) -> &str {
        &self.digits
    }

    /// How many digits there are.
    pub fn length(&self) -> usize {
        self.digits.len()
    }

    /// The first six digits, which tell the issuer.
    pub fn bin(&self) -> &str {
        &self.digits[..6]
    }

    /// The last four digits, which people know their card by.
    pub fn last4(&self) -> &str {
        &self.digits[self.digits.len() - 4..]
    }
}

/// The sum of Luhn's formula modulo ten: zero for numbers that are right.
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
    fn numbers_are_read_or_refused() {
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
            // Beyond what a double holds, and beyond what a signed number of 64 bits does.
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
