//! The scripted answers of the provider to a subscription's charges, such as `reject,accept`:
//! outcomes separated by commas. The last outcome repeats.

use super::outcome::{Outcome, OutcomeError};

/// Checks a script; the error names the first outcome that cannot be parsed.
pub fn check(script: &str) -> Result<(), OutcomeError> {
    script
        .split(',')
        .try_for_each(|text| text.trim().parse::<Outcome>().map(drop))
}

/// The outcome of an attempt, counted from 0.
pub fn at(script: &str, attempt: u32) -> Option<Outcome> {
    let place = usize::try_from(attempt).ok()?;
    let mut outcomes = script.split(',');
    let text = outcomes
        .nth(place)
        .or_else(|| script.split(',').next_back())?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_outcome_stays() {
        let script = "accept, reject;code=E1006,pending;after=PT2S;then=reject";
        assert!(check(script).is_ok());
        let table = [
            (0, "accept"),
            (1, "reject;code=E1006"),
            (2, "pending;after=PT2.000S;then=reject;code=E1005"),
            (3, "pending;after=PT2.000S;then=reject;code=E1005"),
            (u32::MAX, "pending;after=PT2.000S;then=reject;code=E1005"),
        ];
        for (attempt, expected) in table {
            let outcome = at(script, attempt).map(|outcome| outcome.to_string());
            assert_eq!(outcome.as_deref(), Some(expected), "{attempt}");
        }
    }

    #[test]
    fn an_invalid_script_is_refused() {
        for script in ["", "accept,", ",accept", "accept;reject", "later"] {
            assert!(check(script).is_err(), "{script:?}");
        }
    }
}
