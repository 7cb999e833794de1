//! Moment: a time or a date in a body.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use openapi_document::Node;
use openapi_facts::Duration;

use crate::value;

/// The seconds of a day.
pub(crate) const DAY: i64 = 86_400;

/// The longest month in days.
const MONTH: i64 = 31;

/// Tolerance of a time, in seconds.
const OFF: i64 = 2;

/// A time or a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// A time.
    Time(Timestamp),
    /// A date in an unknown time zone.
    Day(Date),
}

impl Moment {
    /// Parses an RFC 3339 time or a date. `None` for other values.
    pub(crate) fn read(node: &Node) -> Option<Self> {
        let text = node.as_str()?;
        if text.len() == "2026-01-01".len() {
            text.parse().ok().map(Self::Day)
        } else {
            text.parse().ok().map(Self::Time)
        }
    }

    /// The current time, or the current date in UTC.
    pub(crate) fn now(is_day: bool) -> Self {
        let now = Self::Time(Timestamp::now());
        if is_day { Self::Day(now.day()) } else { now }
    }

    /// The value for a body; a time has whole seconds.
    pub(crate) fn node(self) -> Node {
        let text = match self {
            Self::Time(item) => item.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            Self::Day(item) => item.to_string(),
        };
        value::string(&text)
    }

    fn day(self) -> Date {
        match self {
            Self::Day(item) => item,
            Self::Time(midnight) => midnight.to_zoned(TimeZone::UTC).date(),
        }
    }

    /// Seconds from `other` to this moment, and the tolerance in seconds: a day if one of them is a date.
    pub(crate) fn after(self, other: Self) -> (i64, i64) {
        match (other, self) {
            (Self::Time(from), Self::Time(to)) => (to.as_second() - from.as_second(), OFF),
            (from, to) => {
                let days = i64::from((to.day() - from.day()).get_days());
                let is_sure = matches!((from, to), (Self::Day(_), Self::Day(_)));
                (days * DAY, if is_sure { 0 } else { DAY })
            }
        }
    }

    /// The moment this many seconds later; for a date in whole days, rounded away from zero. `None` on overflow.
    pub(crate) fn plus(self, seconds: i64) -> Option<Self> {
        let moved =
            |time: Timestamp, seconds| Timestamp::from_second(time.as_second() + seconds).ok();
        match self {
            Self::Time(item) => moved(item, seconds).map(Self::Time),
            Self::Day(item) => {
                let days = (seconds + (DAY - 1) * seconds.signum()) / DAY;
                let midnight = item.to_zoned(TimeZone::UTC).ok()?.timestamp();
                Some(Self::Day(Self::Time(moved(midnight, days * DAY)?).day()))
            }
        }
    }
}

/// The least and the most seconds of a duration, as months differ in length.
pub(crate) fn seconds(duration: &Duration) -> (i64, i64) {
    let rest = duration.milliseconds() / 1000;
    let months = duration.months();
    let (one, other) = (months * (MONTH - 3) * DAY, months * MONTH * DAY);
    (rest + one.min(other), rest + one.max(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_move_by_whole_seconds_or_days() {
        for (text, by, expected) in [
            ("2026-01-31T10:00:00Z", 90, "2026-01-31T10:01:30Z"),
            ("2026-01-31", 90, "2026-02-01"),
            ("2026-01-31", -DAY, "2026-01-30"),
            ("2026-01-31", -90, "2026-01-30"),
        ] {
            let moved = Moment::read(&value::string(text)).and_then(|amount| amount.plus(by));
            let moved = moved.map(|node| value::plain(&node.node()));
            assert_eq!(moved.as_deref(), Some(expected), "{text} {by}");
        }
    }

    #[test]
    fn months_have_several_lengths() {
        let month = Duration::parse("P1M").unwrap();
        assert_eq!(seconds(&month), (28 * DAY, 31 * DAY));
        let before = Duration::parse("-P1MT1S").unwrap();
        assert_eq!(seconds(&before), (-31 * DAY - 1, -28 * DAY - 1));
    }
}
