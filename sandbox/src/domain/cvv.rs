//! Security codes: checked once and never stored.

/// A security code with as many digits as its scheme requires.
///
/// Like a card number, it cannot be printed or serialized.
#[expect(
    missing_debug_implementations,
    reason = "a security code is never printed"
)]
pub struct Cvv {
    digits: String,
}

/// The number is negative or has too many digits for the scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a security code of {length} digits")]
pub struct CvvError {
    length: usize,
}

impl Cvv {
    /// Reads a code that arrived as an integer and restores its leading zeros: `12` is `012`.
    pub fn from_integer(number: i64, length: usize) -> Result<Self, CvvError> {
        let digits = format!("{number:0length$}");
        if number < 0 || digits.len() != length {
            return Err(CvvError { length });
        }
        Ok(Self { digits })
    }

    /// All digits.
    pub fn expose(&self) -> &str {
        &self.digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_are_restored() {
        let table = [
            (123, 3, Some("123")),
            (12, 3, Some("012")),
            (0, 3, Some("000")),
            (12, 4, Some("0012")),
            (1234, 4, Some("1234")),
            (1234, 3, None),
            (12_345, 4, None),
            (-1, 3, None),
            (-12, 3, None),
            (i64::MIN, 3, None),
        ];
        for (number, length, expected) in table {
            let read = Cvv::from_integer(number, length).ok();
            assert_eq!(
                read.as_ref().map(Cvv::expose),
                expected,
                "{number} {length}"
            );
        }
    }
}
