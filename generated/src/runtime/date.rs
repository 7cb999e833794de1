//! A calendar date that travels as `YYYY-MM-DD`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A calendar date without time or zone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    day: jiff::civil::Date,
}

/// The text is not a date of the form `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateError;

impl Date {
    /// Reads a date of the form `YYYY-MM-DD`.
    pub fn new(text: &str) -> Result<Self, DateError> {
        let shaped = text.len() == 10
            && text.bytes().enumerate().all(|(index, byte)| match index {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !shaped {
            return Err(DateError);
        }
        text.parse().map(|day| Self { day }).map_err(|_| DateError)
    }

    /// The date itself.
    pub fn value(self) -> jiff::civil::Date {
        self.day
    }
}

impl From<jiff::civil::Date> for Date {
    fn from(day: jiff::civil::Date) -> Self {
        Self { day }
    }
}

impl From<Date> for jiff::civil::Date {
    fn from(date: Date) -> Self {
        date.day
    }
}

impl TryFrom<&str> for Date {
    type Error = DateError;

    fn try_from(text: &str) -> Result<Self, DateError> {
        Self::new(text)
    }
}

#[cfg(feature = "chrono")]
impl TryFrom<chrono::NaiveDate> for Date {
    type Error = DateError;

    fn try_from(day: chrono::NaiveDate) -> Result<Self, DateError> {
        Self::new(&day.format("%Y-%m-%d").to_string())
    }
}

#[cfg(feature = "chrono")]
impl TryFrom<Date> for chrono::NaiveDate {
    type Error = DateError;

    fn try_from(date: Date) -> Result<Self, DateError> {
        date.to_string().parse().map_err(|_| DateError)
    }
}

#[cfg(feature = "time")]
impl TryFrom<time::Date> for Date {
    type Error = DateError;

    fn try_from(day: time::Date) -> Result<Self, DateError> {
        let (year, month) = (day.year(), u8::from(day.month()));
        Self::new(&format!("{year:04}-{month:02}-{:02}", day.day()))
    }
}

#[cfg(feature = "time")]
impl TryFrom<Date> for time::Date {
    type Error = DateError;

    fn try_from(date: Date) -> Result<Self, DateError> {
        let (year, month, day) = (date.day.year(), date.day.month(), date.day.day());
        let month = u8::try_from(month)
            .ok()
            .and_then(|month| month.try_into().ok());
        let day = u8::try_from(day).map_err(|_| DateError)?;
        Self::from_calendar_date(year.into(), month.ok_or(DateError)?, day).map_err(|_| DateError)
    }
}

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        Self::new(text)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.day, f)
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.day, f)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for DateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a date such as \"2026-01-31\"")
    }
}

impl std::error::Error for DateError {}
