//! A point in time that travels as an RFC 3339 date-time.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time. Made from an instant it prints three digits of milliseconds and `Z`
/// (`2026-01-02T03:04:05.120Z`); read from text it prints that text again.
///
/// Two timestamps are equal when they are the same instant. Those in the last hours of the year 9999,
/// which no instant can tell apart, are equal, too.
#[derive(Clone)]
pub struct Timestamp {
    instant: jiff::Timestamp,
    text: Option<Box<str>>,
}

/// The text is not an RFC 3339 date-time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampError;

impl Timestamp {
    /// Reads an RFC 3339 date-time, with `Z` or a numeric offset.
    pub fn new(text: &str) -> Result<Self, TimestampError> {
        // RFC 3339 allows `t` and `z`, too.
        let upper = text.to_ascii_uppercase();
        if !is_date_time(upper.as_bytes()) {
            return Err(TimestampError);
        }
        let instant = instant(&upper).ok_or(TimestampError)?;
        let kept = (Self::from(instant).to_string() != text).then(|| text.into());
        Ok(Self {
            instant,
            text: kept,
        })
    }

    /// The instant itself.
    pub fn instant(&self) -> jiff::Timestamp {
        self.instant
    }
}

/// The instant of a date-time, to the nanosecond; the last that can be told for one after it.
fn instant(text: &str) -> Option<jiff::Timestamp> {
    let fraction = text.find('.').map_or(text.len(), |point| point + 1);
    let digits = text[fraction..].bytes().take_while(u8::is_ascii_digit);
    let (begin, end) = (fraction + 9, fraction + digits.count());
    let mut text = text.to_owned();
    if end > begin {
        text.replace_range(begin..end, "");
    }
    let last = || {
        let (local, _) = text.split_at(text.len() - zone_length(text.as_bytes()));
        let local: jiff::civil::DateTime = local.parse().ok()?;
        let is_last = (local.year(), local.month()) == (9999, 12) && local.day() >= 30;
        is_last.then_some(jiff::Timestamp::MAX)
    };
    text.parse().ok().or_else(last)
}

/// The shape `0000-00-00T00:00:00[.0…](Z|+00:00)`; what the digits may be is left to the parser.
fn is_date_time(text: &[u8]) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let Some((head, tail)) = text.split_at_checked(SHAPE.len()) else {
        return false;
    };
    let (fraction, zone) = tail.split_at(tail.len() - zone_length(tail));
    matches(head, SHAPE) && is_fraction(fraction) && (zone == b"Z" || is_offset(zone))
}

fn zone_length(tail: &[u8]) -> usize {
    if tail.ends_with(b"Z") {
        1
    } else {
        tail.len().min(6)
    }
}

fn is_fraction(text: &[u8]) -> bool {
    match text.split_first() {
        None => true,
        Some((b'.', digits)) => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        Some(_) => false,
    }
}

fn is_offset(text: &[u8]) -> bool {
    matches(text, b"+00:00") || matches(text, b"-00:00")
}

fn matches(text: &[u8], shape: &[u8]) -> bool {
    text.len() == shape.len()
        && text
            .iter()
            .zip(shape)
            .all(|(byte, expected)| match expected {
                b'0' => byte.is_ascii_digit(),
                expected => byte == expected,
            })
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(instant: jiff::Timestamp) -> Self {
        Self {
            instant,
            text: None,
        }
    }
}

impl From<Timestamp> for jiff::Timestamp {
    fn from(timestamp: Timestamp) -> Self {
        timestamp.instant
    }
}

impl TryFrom<&str> for Timestamp {
    type Error = TimestampError;

    fn try_from(text: &str) -> Result<Self, TimestampError> {
        Self::new(text)
    }
}

#[cfg(feature = "chrono")]
impl<Z: chrono::TimeZone> TryFrom<chrono::DateTime<Z>> for Timestamp {
    type Error = TimestampError;

    fn try_from(moment: chrono::DateTime<Z>) -> Result<Self, TimestampError> {
        let nanoseconds = i32::try_from(moment.timestamp_subsec_nanos());
        let nanoseconds = nanoseconds.map_err(|_| TimestampError)?;
        let instant = jiff::Timestamp::new(moment.timestamp(), nanoseconds);
        instant.map(Self::from).map_err(|_| TimestampError)
    }
}

#[cfg(feature = "chrono")]
impl TryFrom<Timestamp> for chrono::DateTime<chrono::Utc> {
    type Error = TimestampError;

    fn try_from(timestamp: Timestamp) -> Result<Self, TimestampError> {
        let nanoseconds = timestamp.instant.as_nanosecond();
        let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000));
        let rest = u32::try_from(nanoseconds.rem_euclid(1_000_000_000));
        let (Ok(seconds), Ok(rest)) = (seconds, rest) else {
            return Err(TimestampError);
        };
        Self::from_timestamp(seconds, rest).ok_or(TimestampError)
    }
}

#[cfg(feature = "time")]
impl TryFrom<time::OffsetDateTime> for Timestamp {
    type Error = TimestampError;

    fn try_from(moment: time::OffsetDateTime) -> Result<Self, TimestampError> {
        let instant = jiff::Timestamp::from_nanosecond(moment.unix_timestamp_nanos());
        instant.map(Self::from).map_err(|_| TimestampError)
    }
}

#[cfg(feature = "time")]
impl TryFrom<Timestamp> for time::OffsetDateTime {
    type Error = TimestampError;

    fn try_from(timestamp: Timestamp) -> Result<Self, TimestampError> {
        Self::from_unix_timestamp_nanos(timestamp.instant.as_nanosecond())
            .map_err(|_| TimestampError)
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        Self::new(text)
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.instant == other.instant
    }
}

impl Eq for Timestamp {}

impl Hash for Timestamp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.instant.hash(state);
    }
}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        self.instant.cmp(&other.instant)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => write!(f, "{:.3}", self.instant),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a date-time such as \"2026-01-02T03:04:05.000Z\"")
    }
}

impl std::error::Error for TimestampError {}
