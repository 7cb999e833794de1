//! Parses how far to move a clock, and tracks what remains of the move.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use super::{Code, Rejection};

/// The last second of the year 9998, in UTC. The calendar ends a year later, so that a clock at
/// this time still runs and timers after it can be stored.
const END: Timestamp = Timestamp::constant(253_370_764_799, 0);

/// The duration by which to move the clock, or the time to move it to.
#[derive(Clone, Copy, Debug)]
pub enum ClockGoal {
    /// A duration; months and years follow the calendar in UTC.
    By(Span),
    /// A time.
    To(Timestamp),
}

/// The rest of a goal while the clock moves in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remaining {
    /// A remaining duration, which does not shrink when another request moves the clock meanwhile.
    For(SignedDuration),
    /// A fixed end time.
    Until(Timestamp),
}

impl ClockGoal {
    /// Parses an ISO 8601 duration such as `P1M`.
    pub fn by(text: &str) -> Result<Self, Rejection> {
        let wrong = |reason: &str| {
            let detail = format!("expected a duration such as PT5M, P1D or P1M: {reason}");
            Rejection::at(Code::ContractViolation, "/by", detail)
        };
        // The library accepts more than the ISO form.
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

    /// Parses a time such as `2030-01-31T12:00:00Z`.
    pub fn to(text: &str) -> Result<Self, Rejection> {
        let time = text.parse().map_err(|_| {
            let detail = "expected a time such as 2030-01-31T12:00:00Z";
            Rejection::at(Code::ContractViolation, "/to", detail)
        });
        Ok(Self::To(time?))
    }

    /// Turns the goal into the distance from `now`.
    ///
    /// # Errors
    /// The goal is in the past, or after the last time that a clock can show.
    pub fn begin(self, now: Timestamp) -> Result<Remaining, Rejection> {
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
            Self::By(_) => Remaining::For(to.duration_since(now)),
            Self::To(to) => Remaining::Until(to),
        })
    }
}

impl Remaining {
    /// The end time of the move, if nothing else moves the clock.
    pub fn until(self, now: Timestamp) -> Timestamp {
        match self {
            Self::For(duration) => now.checked_add(duration).map_or(END, |to| to.min(END)),
            Self::Until(to) => to.max(now),
        }
    }

    /// The rest after the clock moved by `moved`.
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
        let remaining = goal.and_then(|goal| goal.begin(now));
        remaining
            .map(|remaining| remaining.until(now).to_string())
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
    fn an_invalid_duration_is_refused_with_a_reason() {
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
    fn a_running_goal_keeps_its_duration_or_its_time() {
        let now: Timestamp = NOW.parse().unwrap();
        let day = SignedDuration::from_hours(24);
        let by = ClockGoal::by("P3D").unwrap().begin(now).unwrap();
        // Another request has moved the clock by a day meanwhile.
        assert_eq!(by.after(day).until(now + day + day), now + 4 * day);
        let to = ClockGoal::To(now + 3 * day).begin(now).unwrap();
        assert_eq!(to.after(day).until(now + day + day), now + 3 * day);
        assert_eq!(to.after(day).until(now + 5 * day), now + 5 * day);
    }
}
