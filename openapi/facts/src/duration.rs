//! Duration: a length of time in ISO 8601 notation.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The units before `T`, each in months and in milliseconds.
const DAYS: [(char, i64, i64); 4] = [
    ('Y', 12, 0),
    ('M', 1, 0),
    ('W', 0, 604_800_000),
    ('D', 0, 86_400_000),
];

/// The units after `T`.
const TIMES: [(char, i64, i64); 3] = [('H', 0, 3_600_000), ('M', 0, 60_000), ('S', 0, 1000)];

/// A length of time in ISO 8601 notation, such as `PT24H` or `-P1M`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Duration {
    text: String,
    months: i64,
    milliseconds: i64,
}

impl Duration {
    /// Parses an optional minus, `P`, whole numbers with `Y`, `M`, `W` or `D`, then `T` and numbers
    /// with `H`, `M` or `S`. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-');
        let sign = if unsigned.is_some() { -1 } else { 1 };
        let rest = unsigned.unwrap_or(text).strip_prefix('P')?;
        let (days, times) = rest.split_once('T').unwrap_or((rest, ""));
        let is_empty = times.is_empty() && (days.is_empty() || rest.contains('T'));
        if is_empty {
            return None;
        }
        let (days, times) = (sum(days, &DAYS)?, sum(times, &TIMES)?);
        Some(Self {
            text: text.to_owned(),
            months: sign * days.0,
            milliseconds: sign * days.1.checked_add(times.1)?,
        })
    }

    /// The duration as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it has no length.
    pub fn is_zero(&self) -> bool {
        self.months() == 0 && self.milliseconds() == 0
    }

    /// The years and months, in months.
    pub fn months(&self) -> i64 {
        self.months
    }

    /// Weeks, days and times, in milliseconds.
    pub fn milliseconds(&self) -> i64 {
        self.milliseconds
    }
}

/// The months and milliseconds of numbers with units; `None` if the units are not in order.
fn sum(mut text: &str, units: &[(char, i64, i64)]) -> Option<(i64, i64)> {
    let (mut months, mut milliseconds) = (0_i64, 0_i64);
    for (unit, each_months, each_milliseconds) in units {
        let Some((number, rest)) = text.split_once(*unit) else {
            continue;
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
        if !digits(whole) || !digits(part) || *unit != 'S' && number.contains('.') {
            return None;
        }
        let whole: i64 = whole.parse().ok()?;
        let thousandths: i64 = format!("{part:0<3}").get(..3)?.parse().ok()?;
        months = months.checked_add(whole.checked_mul(*each_months)?)?;
        milliseconds = milliseconds
            .checked_add(whole.checked_mul(*each_milliseconds)?)?
            .checked_add(thousandths)?;
        text = rest;
    }
    text.is_empty().then_some((months, milliseconds))
}

impl TryFrom<String> for Duration {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let found = Self::parse(&text);
        found.ok_or_else(|| format!("expected a duration such as PT24H, got `{text}`"))
    }
}

impl From<Duration> for String {
    fn from(duration: Duration) -> Self {
        duration.text
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_months_and_milliseconds() {
        for (text, expected) in [
            ("PT24H", (0, 86_400_000)),
            ("P1Y2M", (14, 0)),
            ("P1W", (0, 604_800_000)),
            ("P1DT1M", (0, 86_460_000)),
            ("-PT1.5S", (0, -1500)),
            ("PT0S", (0, 0)),
        ] {
            let found = Duration::parse(text).unwrap();
            assert_eq!((found.months(), found.milliseconds()), expected, "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_durations() {
        for text in [
            "", "P", "PT", "P1DT", "24H", "PT24", "PT1M1H", "P1.5D", "P1H", "PTH",
        ] {
            assert_eq!(Duration::parse(text), None, "{text}");
        }
    }
}
