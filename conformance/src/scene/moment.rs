//! Moment: a time or a date in a body.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use openapi_document::{Node, Value};
use openapi_facts::Duration;

use crate::value;

/// The seconds of a day.
pub(crate) const DAY: i64 = 86_400;

/// The longest month in days.
const MONTH: i64 = 31;

/// Tolerance of a time, in seconds.
const OFF: i64 = 2;

/// The Unix times, in seconds, of the years from 2001 to 2099.
const UNIX_SECONDS: std::ops::Range<i64> = 1_000_000_000..4_070_908_800;

/// A time or a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// A time.
    Time(Timestamp),
    /// A time as a number of seconds since 1970.
    Unix(Timestamp),
    /// A date in an unknown time zone.
    Day(Date),
}

impl Moment {
    /// Parses an RFC 3339 time, a date or a Unix time. `None` for other values.
    pub(crate) fn read(node: &Node) -> Option<Self> {
        if let Value::Number(_) = node.value {
            let seconds = value::plain(node).parse().ok();
            let seconds = seconds.filter(|seconds| UNIX_SECONDS.contains(seconds))?;
            return Timestamp::from_second(seconds).ok().map(Self::Unix);
        }
        let text = node.as_str()?;
        if text.len() == "2026-01-01".len() {
            text.parse().ok().map(Self::Day)
        } else {
            text.parse().ok().map(Self::Time)
        }
    }

    /// The current time, or the current date in UTC, in the form of this moment.
    pub(crate) fn now(self) -> Self {
        let now = Timestamp::now();
        match self {
            Self::Time(_) => Self::Time(now),
            Self::Unix(_) => Self::Unix(now),
            Self::Day(_) => Self::Day(Self::Time(now).day()),
        }
    }

    /// The value for a body; a time has whole seconds.
    pub(crate) fn node(self) -> Node {
        let text = match self {
            Self::Unix(item) => return value::number(item.as_second()),
            Self::Time(item) => item.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            Self::Day(item) => item.to_string(),
        };
        value::string(&text)
    }

    fn day(self) -> Date {
        match self {
            Self::Day(item) => item,
            Self::Time(time) | Self::Unix(time) => time.to_zoned(TimeZone::UTC).date(),
        }
    }

    /// Seconds from `other` to this moment, and the tolerance in seconds: a day if one of them is a date.
    pub(crate) fn after(self, other: Self) -> (i64, i64) {
        match (other, self) {
            (Self::Time(from) | Self::Unix(from), Self::Time(to) | Self::Unix(to)) => {
                (to.as_second() - from.as_second(), OFF)
            }
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
            Self::Unix(item) => moved(item, seconds).map(Self::Unix),
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
    fn unix_times_stay_numbers() {
        let time = Moment::read(&value::number(1_798_624_800)).unwrap();
        assert_eq!(value::plain(&time.plus(DAY).unwrap().node()), "1798711200");
        let text = Moment::read(&value::string("2026-12-30T10:00:00Z")).unwrap();
        assert_eq!(time.after(text).0, 0);
        assert_eq!(Moment::read(&value::number(12_000)), None);
    }

    #[test]
    fn months_have_several_lengths() {
        let month = Duration::parse("P1M").unwrap();
        assert_eq!(seconds(&month), (28 * DAY, 31 * DAY));
        let before = Duration::parse("-P1MT1S").unwrap();
        assert_eq!(seconds(&before), (-31 * DAY - 1, -28 * DAY - 1));
    }
}
