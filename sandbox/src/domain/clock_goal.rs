//! How far a clock is to be moved, as it was asked for.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use super::{Code, Rejection};

/// The last second of the year 9998, in UTC. The calendar ends a year later: a clock that stands here still runs, and what
/// is due after it can be written down.
const END: Timestamp = Timestamp::constant(253_370_764_799, 0);

/// A duration that the clock is moved by, or a time that it is moved to.
#[derive(Clone, Copy, Debug)]
pub enum ClockGoal {
    /// Months and years by the calendar in UTC.
    By(Span),
    /// A time.
    To(Timestamp),
}

/// What is left of a goal while the clock is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// So far still, whoever else moves the clock meanwhile.
    For(SignedDuration),
    /// Until that time.
    Until(Timestamp),
}

impl ClockGoal {
    /// Reads an ISO 8601 duration such as `P1M`.
    pub fn by(text: &str) -> Result<Self, Rejection> {
        let wrong = |reason: &str| {
            let detail = format!("expected a duration such as PT5M, P1D or P1M: {reason}");
            Rejection::at(Code::ContractViolation, "/by", detail)
        };
        // The library reads more than the standard's form.
        if text.starts_with('-') {
            return Err(wrong("a clock goes forward only"));
        }
        if !text.starts_with('P') {
            return Err(wrong("it begins with P"));
        }
        let span = text
            .parse()
            .map_err(|error: jiff::Error| wrong(&error.to_string()));
        Ok(Self::By(span?))
    }

    /// Reads a time such as `2030-01-31T12:00:00Z`.
    pub fn to(text: &str) -> Result<Self, Rejection> {
        let time = text.parse().map_err(|_| {
            let detail = "expected a time such as 2030-01-31T12:00:00Z";
            Rejection::at(Code::ContractViolation, "/to", detail)
        });
        Ok(Self::To(time?))
    }

    /// How far the clock has to go from the present time.
    ///
    /// # Errors
    /// The goal is in the past, or past the end of all clocks.
    pub fn begin(self, now: Timestamp) -> Result<Rest, Rejection> {
        let (pointer, to) = match self {
            Self::By(span) => {
                let then = now.to_zoned(TimeZone::UTC).checked_add(span);
                ("/by", then.map_or(Timestamp::MAX, |then| then.timestamp()))
            }
            Self::To(to) => ("/to", to),
        };
        let wrong = |detail| Err(Rejection::at(Code::ContractViolation, pointer, detail));
        if to < now {
            return wrong("a clock goes forward only");
        }
        if to > END {
            return wrong("a clock goes no further than the year 9998");
        }
        Ok(match self {
            Self::By(_) => Rest::For(to.duration_since(now)),
            Self::To(to) => Rest::Until(to),
        })
    }
}

impl Rest {
    /// The time that the clock is to be moved to now.
    pub fn until(self, now: Timestamp) -> Timestamp {
        match self {
            Self::For(duration) => now.checked_add(duration).map_or(END, |to| to.min(END)),
            Self::Until(to) => to.max(now),
        }
    }

    /// What is left after the clock was moved by so much.
    #[must_use]
    pub fn after(self, moved: SignedDuration) -> Self {
        match self {
            Self::For(duration) => Self::For(duration - moved),
            until @ Self::Until(_) => until,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2027-01-31T10:00:00Z";

    fn reach(goal: Result<ClockGoal, Rejection>) -> Result<String, String> {
        let now: Timestamp = NOW.parse().unwrap();
        let rest = goal.and_then(|goal| goal.begin(now));
        rest.map(|rest| rest.until(now).to_string())
            .map_err(|refused| refused.to_string())
    }

    #[test]
    fn a_duration_is_counted_by_the_calendar() {
        let table = [
            ("P1M", "2027-02-28T10:00:00Z"),
            ("PT90S", "2027-01-31T10:01:30Z"),
            ("P1Y2DT1H", "2028-02-02T11:00:00Z"),
            ("P0D", NOW),
            ("P7971Y", "9998-01-31T10:00:00Z"),
        ];
        for (by, expected) in table {
            assert_eq!(reach(ClockGoal::by(by)).as_deref(), Ok(expected), "{by}");
        }
    }

    #[test]
    fn what_is_no_duration_is_refused_with_the_reason() {
        let table = [
            ("1 month", "it begins with P"),
            ("-P1D", "a clock goes forward only"),
            ("P", "expected a duration such as PT5M, P1D or P1M: "),
            ("P999999Y", "not in the required range"),
            ("P7972Y", "a clock goes no further than the year 9998"),
            ("P9000Y", "a clock goes no further than the year 9998"),
        ];
        for (by, reason) in table {
            let refused = reach(ClockGoal::by(by)).unwrap_err();
            assert!(refused.contains(reason), "{by}: {refused}");
        }
    }

    #[test]
    fn a_time_is_in_the_future_and_before_the_end() {
        let table = [
            ("2027-02-01T00:00:00+01:00", Ok("2027-01-31T23:00:00Z")),
            ("2027-01-31T09:59:59Z", Err("a clock goes forward only")),
            ("9998-12-31T23:59:59Z", Ok("9998-12-31T23:59:59Z")),
            (
                "9999-01-01T00:00:00Z",
                Err("a clock goes no further than the year 9998"),
            ),
            (
                "tomorrow",
                Err("expected a time such as 2030-01-31T12:00:00Z"),
            ),
        ];
        for (to, expected) in table {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(reach(ClockGoal::to(to)), expected, "{to}");
        }
    }

    #[test]
    fn a_goal_that_is_on_its_way_keeps_its_duration_or_its_time() {
        let now: Timestamp = NOW.parse().unwrap();
        let day = SignedDuration::from_hours(24);
        let by = ClockGoal::by("P3D").unwrap().begin(now).unwrap();
        // Somebody else has moved the clock by a day meanwhile.
        assert_eq!(by.after(day).until(now + day + day), now + 4 * day);
        let to = ClockGoal::To(now + 3 * day).begin(now).unwrap();
        assert_eq!(to.after(day).until(now + day + day), now + 3 * day);
        assert_eq!(to.after(day).until(now + 5 * day), now + 5 * day);
    }
}
