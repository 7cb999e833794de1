//! Parses durations of scenarios (ISO 8601) and of the command line.

use std::time::Duration;

/// Parses `PT5S`, `PT0.1S`, `PT1M30S`. Refuses years, months and days.
pub fn parse_iso(text: &str) -> Option<Duration> {
    let mut rest = text.strip_prefix("PT")?;
    let mut seconds = 0.0;
    let mut units = "HMS".chars();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let unit = rest[end..].chars().next()?;
        let amount = plain_number(&rest[..end])?;
        units.find(|known| *known == unit)?;
        seconds += amount
            * match unit {
                'H' => 3600.0,
                'M' => 60.0,
                _ => 1.0,
            };
        rest = &rest[end + 1..];
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// Parses `10s`, `500ms`, `2m`, or an ISO 8601 duration. A bare number means seconds.
pub fn parse(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let with_unit = || {
        let (number, factor) = units
            .iter()
            .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
        Duration::try_from_secs_f64(plain_number(number)? * factor).ok()
    };
    let duration = parse_iso(text).or_else(with_unit);
    match duration {
        Some(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("not a length of time such as 10s, 500ms or PT10S".to_owned()),
    }
}

fn plain_number(text: &str) -> Option<f64> {
    let plain = |c: char| c.is_ascii_digit() || c == '.';
    text.parse().ok().filter(|_| text.chars().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_both_forms() {
        for (text, millis) in [
            ("PT5S", Some(5000)),
            ("PT0.1S", Some(100)),
            ("PT1M30S", Some(90_000)),
            ("PT1H", Some(3_600_000)),
            ("10s", Some(10_000)),
            ("250ms", Some(250)),
            ("2m", Some(120_000)),
            ("3", Some(3000)),
            ("0s", None),
            ("PT", None),
            ("PT1S1M", None),
            ("-1s", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(
                parse(text).ok(),
                millis.map(Duration::from_millis),
                "{text}"
            );
        }
    }
}
