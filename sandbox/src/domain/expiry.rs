//! Expiry dates of cards: a card is valid until the end of a month.

use std::fmt;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// A month of this century; the card is valid until its last moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expiry {
    first_day: Date,
}

/// The text is not a valid month and year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpiryError {
    /// The month is not between `01` and `12`.
    #[error("is not a month")]
    Month,
    /// The year is not one that a card can have.
    #[error("is not a year")]
    Year,
}

impl Expiry {
    /// Parses `MMYY`; the year is in this century.
    pub fn parse(text: &str) -> Result<Self, ExpiryError> {
        match (text.get(..2), text.get(2..)) {
            (Some(month), Some(year)) if text.len() == 4 => Self::of(month, &format!("20{year}")),
            _ => Err(ExpiryError::Month),
        }
    }

    /// Parses a month of two digits and a year of four.
    pub fn of(month: &str, year: &str) -> Result<Self, ExpiryError> {
        let number = digits(month, 2).and_then(|month| i8::try_from(month).ok());
        let month = number.ok_or(ExpiryError::Month)?;
        let century = digits(year, 4).filter(|year| (2000..2100).contains(year));
        let year = century.ok_or(ExpiryError::Year)?;
        let first_day = Date::new(year, month, 1).map_err(|_| ExpiryError::Month)?;
        Ok(Self { first_day })
    }

    /// Whether the month is over, in UTC.
    pub fn is_past(self, now: Timestamp) -> bool {
        now > self.last_moment()
    }

    /// The last millisecond of the month.
    pub fn last_moment(self) -> Timestamp {
        let end = self.first_day.last_of_month().at(23, 59, 59, 999_000_000);
        end.to_zoned(TimeZone::UTC)
            .map_or(Timestamp::MAX, |end| end.timestamp())
    }

    /// The month, two digits.
    pub fn month(self) -> String {
        format!("{:02}", self.first_day.month())
    }

    /// The year, four digits.
    pub fn year(self) -> String {
        format!("{:04}", self.first_day.year())
    }

    /// The stored number: the year times one hundred, plus the month.
    pub fn number(self) -> i64 {
        i64::from(self.first_day.year()) * 100 + i64::from(self.first_day.month())
    }

    /// Parses the result of [`Self::number`].
    pub fn from_number(number: i64) -> Option<Self> {
        let (year, month) = (number / 100, number % 100);
        Self::of(&format!("{month:02}"), &format!("{year:04}")).ok()
    }

    /// The month of `now`, some years later, for generated cards.
    pub fn years_after(now: Timestamp, years: i64) -> Self {
        let today = now.to_zoned(TimeZone::UTC).date().first_of_month();
        let first_day = today.checked_add(years.years()).unwrap_or(today);
        Self { first_day }
    }
}

/// `MMYY`, as callers write it.
impl fmt::Display for Expiry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = self.first_day.year() % 100;
        write!(formatter, "{:02}{year:02}", self.first_day.month())
    }
}

fn digits(text: &str, length: usize) -> Option<i16> {
    let fits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_card_is_valid_through_the_last_day_of_its_month() {
        let table = [
            ("0224", "2024-02-29T23:59:59.999Z", false),
            ("0224", "2024-03-01T00:00:00Z", true),
            ("0223", "2023-02-28T23:59:59.999Z", false),
            ("0223", "2023-03-01T00:00:00Z", true),
            ("1230", "2030-12-31T23:59:59Z", false),
            ("1230", "2031-01-01T00:00:00Z", true),
            ("0199", "2026-11-04T00:00:00Z", false),
        ];
        for (text, now, past) in table {
            let expiry = Expiry::parse(text).unwrap();
            assert_eq!(expiry.is_past(now.parse().unwrap()), past, "{text} {now}");
            assert_eq!(expiry.to_string(), text);
        }
    }

    #[test]
    fn an_invalid_month_is_refused() {
        for text in [
            "",
            "1",
            "123",
            "12030",
            "1330",
            "0030",
            "a230",
            "12 0",
            "+130",
            "１２３",
        ] {
            assert!(Expiry::parse(text).is_err(), "{text}");
        }
        assert_eq!(Expiry::of("13", "2030"), Err(ExpiryError::Month));
        assert_eq!(Expiry::of("12", "30"), Err(ExpiryError::Year));
        assert_eq!(Expiry::of("12", "1999"), Err(ExpiryError::Year));
    }

    proptest! {
        #[test]
        fn every_month_reads_back(month in 1_u8..13, year in 0_u8..100) {
            let text = format!("{month:02}{year:02}");
            let expiry = Expiry::parse(&text).unwrap();
            prop_assert_eq!(expiry.to_string(), text);
            prop_assert_eq!(Expiry::of(&expiry.month(), &expiry.year()), Ok(expiry));
            prop_assert_eq!(Expiry::from_number(expiry.number()), Some(expiry));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,6}") {
            let _ = Expiry::parse(&text);
        }
    }
}
