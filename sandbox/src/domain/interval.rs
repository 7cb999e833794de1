//! Billing intervals: the days on which charges are due. All dates are in UTC.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// The unit of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Days.
    Day,
    /// Weeks of seven days.
    Week,
    /// Months of the calendar.
    Month,
    /// Years of the calendar.
    Year,
}

/// The time between two charges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The unit.
    pub unit: Unit,
    /// The number of units; at least one.
    pub count: u16,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    /// The value of `intervalUnit` on the wire.
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// The unit with that wire name.
    pub fn from_wire(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.wire() == text)
    }
}

impl Interval {
    /// The day that is `n` intervals after the anchor; `None` after the end of the calendar.
    ///
    /// Each day is counted from the anchor, not from the day before it. So a short month does not
    /// shift later months: 01-31, 02-28, 03-31. For months and years, `day` replaces the anchor's
    /// day of the month from the first interval on.
    pub fn date(self, anchor: Date, day: Option<i8>, n: u32) -> Option<Date> {
        if n == 0 {
            return Some(anchor);
        }
        let steps = i64::from(self.count) * i64::from(n);
        match self.unit {
            Unit::Day => days(anchor, steps),
            Unit::Week => days(anchor, steps.checked_mul(7)?),
            Unit::Month => months(anchor, day, steps),
            Unit::Year => months(anchor, day, steps.checked_mul(12)?),
        }
    }
}

/// The day of a time.
pub fn day_of(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

/// The first moment of the day; the latest possible time for days after the range of timestamps.
pub fn begin_of(day: Date) -> Timestamp {
    let begin = day.to_zoned(TimeZone::UTC);
    begin.map_or(Timestamp::MAX, |begin: Zoned| begin.timestamp())
}

/// The day `count` days later; `None` after the end of the calendar.
pub fn days(from: Date, count: i64) -> Option<Date> {
    let span = jiff::Span::new().try_days(count).ok()?;
    from.checked_add(span).ok()
}

fn months(anchor: Date, day: Option<i8>, count: i64) -> Option<Date> {
    let span = jiff::Span::new().try_months(count).ok()?;
    let month = anchor.first_of_month().checked_add(span).ok()?;
    let day = day.unwrap_or(anchor.day()).min(month.days_in_month());
    Date::new(month.year(), month.month(), day).ok()
}

#[cfg(test)]
mod tests {
    use jiff::Unit as Precision;
    use proptest::prelude::*;

    use super::*;

    fn dates(unit: Unit, count: u16, anchor: &str, day: Option<i8>, upto: u32) -> Vec<String> {
        let (interval, anchor) = (Interval { unit, count }, anchor.parse().unwrap());
        (0..=upto)
            .map(|n| interval.date(anchor, day, n).unwrap().to_string())
            .collect()
    }

    #[test]
    fn a_short_month_does_not_move_the_months_after_it() {
        assert_eq!(
            dates(Unit::Month, 1, "2027-01-31", None, 4),
            [
                "2027-01-31",
                "2027-02-28",
                "2027-03-31",
                "2027-04-30",
                "2027-05-31"
            ]
        );
        assert_eq!(
            dates(Unit::Month, 1, "2027-11-30", None, 4),
            [
                "2027-11-30",
                "2027-12-30",
                "2028-01-30",
                "2028-02-29",
                "2028-03-30"
            ]
        );
        assert_eq!(
            dates(Unit::Year, 1, "2028-02-29", None, 4),
            [
                "2028-02-29",
                "2029-02-28",
                "2030-02-28",
                "2031-02-28",
                "2032-02-29"
            ]
        );
        assert_eq!(
            dates(Unit::Month, 3, "2027-08-31", None, 3),
            ["2027-08-31", "2027-11-30", "2028-02-29", "2028-05-31"]
        );
    }

    #[test]
    fn the_charge_day_replaces_that_of_the_anchor() {
        assert_eq!(
            dates(Unit::Month, 1, "2027-01-10", Some(31), 3),
            ["2027-01-10", "2027-02-28", "2027-03-31", "2027-04-30"]
        );
        assert_eq!(
            dates(Unit::Month, 1, "2027-12-31", Some(1), 2),
            ["2027-12-31", "2028-01-01", "2028-02-01"]
        );
        assert_eq!(
            dates(Unit::Year, 1, "2027-02-10", Some(29), 2),
            ["2027-02-10", "2028-02-29", "2029-02-28"]
        );
        let without = dates(Unit::Week, 2, "2027-12-27", None, 3);
        assert_eq!(
            without,
            ["2027-12-27", "2028-01-10", "2028-01-24", "2028-02-07"]
        );
        assert_eq!(dates(Unit::Week, 2, "2027-12-27", Some(3), 3), without);
    }

    #[test]
    fn dates_after_the_end_of_the_calendar_are_none() {
        let interval = Interval {
            unit: Unit::Year,
            count: 1000,
        };
        let anchor = "2027-01-01".parse().unwrap();
        assert_eq!(interval.date(anchor, None, 8), None);
        assert_eq!(interval.date(anchor, None, u32::MAX), None);
        assert_eq!(begin_of(Date::MAX), Timestamp::MAX);
    }

    /// An independent calendar without a library, which counts days one by one.
    mod naive {
        pub(super) type Day = (i32, u32, u32);

        fn is_leap(year: i32) -> bool {
            year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
        }

        pub(super) fn length(year: i32, month: u32) -> u32 {
            match month {
                2 if is_leap(year) => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            }
        }

        pub(super) fn next_day((year, month, day): Day) -> Day {
            if day < length(year, month) {
                (year, month, day + 1)
            } else if month < 12 {
                (year, month + 1, 1)
            } else {
                (year + 1, 1, 1)
            }
        }

        /// Adds months one at a time; the day is `day`, or the last day of a shorter month.
        pub(super) fn months_on((year, month, _): Day, count: u32, day: u32) -> Day {
            let (mut year, mut month) = (year, month);
            for _ in 0..count {
                (year, month) = match month {
                    12 => (year + 1, 1),
                    _ => (year, month + 1),
                };
            }
            (year, month, day.min(length(year, month)))
        }
    }

    fn triple(date: Date) -> naive::Day {
        let small = |value: i8| u32::try_from(value).unwrap();
        (
            i32::from(date.year()),
            small(date.month()),
            small(date.day()),
        )
    }

    fn anchors() -> impl Strategy<Value = Date> {
        // All kinds of years: 1900 and 2100 are not leap years, 2000 is.
        (1896_i16..2104, 1_i8..=12, 1_i8..=31)
            .prop_filter_map("no such day", |(year, month, day)| {
                Date::new(year, month, day).ok()
            })
    }

    proptest! {
        #[test]
        fn months_and_years_agree_with_the_naive_calendar(
            anchor in anchors(), count in 1_u16..14, n in 1_u32..60,
            day in proptest::option::of(1_i8..=31), years in any::<bool>(),
        ) {
            let (unit, months) = if years { (Unit::Year, 12) } else { (Unit::Month, 1) };
            let date = Interval { unit, count }.date(anchor, day, n).unwrap();
            let wanted = day.map_or(triple(anchor).2, |day| u32::try_from(day).unwrap());
            let steps = u32::from(count) * n * months;
            prop_assert_eq!(triple(date), naive::months_on(triple(anchor), steps, wanted));
        }

        #[test]
        fn days_and_weeks_agree_with_the_naive_calendar(
            anchor in anchors(), count in 1_u16..40, n in 0_u32..30, weeks in any::<bool>(),
        ) {
            let (unit, length) = if weeks { (Unit::Week, 7) } else { (Unit::Day, 1) };
            let date = Interval { unit, count }.date(anchor, Some(15), n).unwrap();
            let steps = u32::from(count) * n * length;
            let expected = (0..steps).fold(triple(anchor), |day, _| naive::next_day(day));
            prop_assert_eq!(triple(date), expected);
        }

        #[test]
        fn days_follow_one_another(
            anchor in anchors(), count in 1_u16..=1000, n in 0_u32..1000,
            day in proptest::option::of(1_i8..=31), unit in 0..4_usize,
        ) {
            let interval = Interval { unit: Unit::ALL[unit], count };
            let (this, next) = (interval.date(anchor, day, n), interval.date(anchor, day, n + 1));
            if let (Some(this), Some(next)) = (this, next) {
                prop_assert!(this < next, "{this} {next}");
            }
        }

        #[test]
        fn a_day_begins_on_itself(anchor in anchors()) {
            let begin = begin_of(anchor);
            prop_assert_eq!(day_of(begin), anchor);
            prop_assert_eq!(begin.round(Precision::Hour).unwrap(), begin);
            prop_assert_eq!(days(day_of(begin - jiff::SignedDuration::from_nanos(1)), 1), Some(anchor));
        }
    }
}
