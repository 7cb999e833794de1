//! Dunning: when a declined charge is retried.

use super::outcome::{AUTHENTICATION_FAILED, CARD_EXPIRED, CARD_REMOVED, RejectCode};

/// The days between attempts; the retries happen 1, 3, 5 and 7 days after the first attempt.
const PAUSES: [i64; 4] = [1, 2, 2, 2];

/// Refusals that no retry can change.
const HARD: [&str; 3] = [CARD_EXPIRED, AUTHENTICATION_FAILED, CARD_REMOVED];

/// The days until the next attempt after `declines` earlier declines; `None` when the charge is not
/// retried.
pub fn pause(declines: u8, code: Option<&RejectCode>) -> Option<i64> {
    if code.is_some_and(|code| HARD.contains(&code.as_str())) {
        return None;
    }
    PAUSES.get(usize::from(declines)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_follow_after_one_three_five_and_seven_days() {
        let code = RejectCode::parse("E1006");
        let pauses: Vec<_> = (0..6)
            .map(|declines| pause(declines, code.as_ref()))
            .collect();
        let after: Vec<_> = pauses
            .iter()
            .map_while(|pause| *pause)
            .scan(0, |day, pause| {
                *day += pause;
                Some(*day)
            })
            .collect();
        assert_eq!(after, [1, 3, 5, 7]);
        assert_eq!(pauses[4..], [None, None]);
    }

    #[test]
    fn a_hard_decline_is_not_retried() {
        for (code, tried) in [
            ("E1005", true),
            ("E1006", true),
            ("E1007", false),
            ("E1008", false),
            ("E1009", false),
        ] {
            let code = RejectCode::parse(code);
            assert_eq!(pause(0, code.as_ref()).is_some(), tried, "{code:?}");
        }
        assert_eq!(pause(0, None), Some(1));
    }
}
