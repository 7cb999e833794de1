//! What the provider is to answer to the charges of a subscription: outcomes one after another, with commas
//! between them. The last of them stays.

use super::outcome::{Outcome, OutcomeError};

/// Reads a script, to refuse one that makes no sense.
pub fn check(script: &str) -> Result<(), OutcomeError> {
    script
        .split(',')
        .try_for_each(|text| text.trim().parse::<Outcome>().map(drop))
}

/// The answer to an attempt, counted from 0.
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
    fn what_is_no_script_is_refused() {
        for script in ["", "accept,", ",accept", "accept;reject", "later"] {
            assert!(check(script).is_err(), "{script:?}");
        }
    }
}
