//! Number: an exact JSON number of any length.

use std::cmp::Ordering;
use std::fmt;

/// A number as digits and exponent: `0.d₁d₂… · 10^exponent`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Number {
    negative: bool,
    /// Without leading and trailing zeros; empty for zero.
    digits: Vec<u8>,
    exponent: i64,
}

impl Number {
    /// Parses a JSON number.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, power) = match rest.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, saturated(power)?),
            None => (rest, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: Vec<u8> = whole.bytes().chain(part.bytes()).collect();
        if all.is_empty() || !all.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let leading = all.iter().take_while(|&&digit| digit == b'0').count();
        let trailing = all.iter().rev().take_while(|&&digit| digit == b'0').count();
        let digits = all
            .get(leading..all.len() - trailing)
            .unwrap_or_default()
            .to_vec();
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                digits,
                exponent: 0,
            });
        }
        let point = i64::try_from(whole.len()).ok()? - i64::try_from(leading).ok()?;
        Some(Self {
            negative,
            digits,
            exponent: point.saturating_add(power),
        })
    }

    /// The number for a count.
    pub(super) fn of(count: usize) -> Self {
        Self::parse(&count.to_string()).unwrap_or(Self {
            negative: false,
            digits: Vec::new(),
            exponent: 0,
        })
    }

    /// Whether it is zero.
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether it is a whole number.
    pub(super) fn is_integer(&self) -> bool {
        i64::try_from(self.digits.len()).is_ok_and(|length| length <= self.exponent.max(0))
            || self.is_zero()
    }

    /// Whether it is a multiple of another number; `None` if they are too far apart to decide.
    pub(super) fn is_multiple_of(&self, other: &Self) -> Option<bool> {
        let lowest = self.last_place().min(other.last_place());
        let (this, other) = (self.scaled(lowest)?, other.scaled(lowest)?);
        this.checked_rem(other).map(|rest| rest == 0)
    }

    /// The next whole number up or down; `None` if this is not a whole number, or is too large.
    pub(super) fn neighbour(&self, up: bool) -> Option<Self> {
        let value = self.is_integer().then(|| self.scaled(0)).flatten()?;
        Self::parse(&(if up { value + 1 } else { value - 1 }).to_string())
    }

    /// The power of ten of the last digit.
    fn last_place(&self) -> i64 {
        i64::try_from(self.digits.len()).map_or(self.exponent, |length| self.exponent - length)
    }

    /// The number in units of a power of ten; `None` if it does not fit in an `i128`.
    fn scaled(&self, unit: i64) -> Option<i128> {
        let zeros = usize::try_from(self.last_place() - unit).ok()?;
        if self.digits.len() + zeros > 36 {
            return None;
        }
        let mut value: i128 = 0;
        for digit in &self.digits {
            value = value * 10 + i128::from(digit - b'0');
        }
        let value = value * 10_i128.pow(u32::try_from(zeros).ok()?);
        Some(if self.negative { -value } else { value })
    }

    fn cmp_size(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // Digits without trailing zeros compare like texts.
            (false, false) => self
                .exponent
                .cmp(&other.exponent)
                .then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

/// The largest exponent for which all digits are written out.
const WRITTEN_OUT: i64 = 24;

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        let digits: String = self.digits.iter().copied().map(char::from).collect();
        let sign = if self.negative { "-" } else { "" };
        let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        match usize::try_from(self.exponent) {
            Ok(point) if self.exponent <= WRITTEN_OUT => match digits.split_at_checked(point) {
                Some((whole, "")) => write!(f, "{sign}{whole}"),
                Some(("", part)) => write!(f, "{sign}0.{part}"),
                Some((whole, part)) => write!(f, "{sign}{whole}.{part}"),
                None => write!(f, "{sign}{digits:0<point$}"),
            },
            Err(_) if self.exponent >= -WRITTEN_OUT => {
                let zeros = usize::try_from(-self.exponent).unwrap_or_default();
                write!(f, "{sign}0.{:0<zeros$}{digits}", "")
            }
            _ => write!(f, "{sign}{digits}e{}", self.exponent.saturating_sub(length)),
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_size(other),
            (true, true) => other.cmp_size(self),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Parses an exponent; one that is too large becomes the largest that fits.
fn saturated(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits
        .parse::<i64>()
        .unwrap_or(i64::MAX / 4)
        .min(i64::MAX / 4);
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn numbers_are_compared_by_value() {
        for (a, b) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("0.05", "5E-2"),
            ("-0", "0.00"),
        ] {
            assert_eq!(number(a), number(b), "{a} {b}");
        }
        let ascending = [
            "-1e400",
            "-10",
            "-9.5",
            "-0.1",
            "0",
            "1e-400",
            "0.5",
            "9",
            "10",
            "10.5",
            "18446744073709551615",
            "18446744073709551616",
            "1e99999999999999999999",
        ];
        for pair in ascending.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
        for text in ["", "-", "1e", "0x1", ".", "1.2.3"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn multiples_and_neighbours_are_exact() {
        assert_eq!(number("0.3").is_multiple_of(&number("0.1")), Some(true));
        assert_eq!(number("10").is_multiple_of(&number("4")), Some(false));
        assert_eq!(number("1e300").is_multiple_of(&number("3")), None);
        assert_eq!(number("1").is_multiple_of(&number("0")), None);
        assert_eq!(number("9").neighbour(true), Some(number("10")));
        assert_eq!(number("-9").neighbour(true), Some(number("-8")));
        assert_eq!(number("0.5").neighbour(true), None);
        assert!(number("100").is_integer() && !number("1.5").is_integer());
    }
}
