use std::time::Duration;

use openapi_generate_runtime::client::{RetryPolicy, Trouble};

const SECOND: Duration = Duration::from_secs(1);
const SILENT: Trouble = Trouble { asked: None };

fn policy() -> RetryPolicy {
    RetryPolicy {
        max_attempts: 6,
        base: SECOND,
        cap: SECOND * 5,
        budget: SECOND * 60,
    }
}

#[test]
fn pauses_double_up_to_the_cap_and_are_spread_over_their_whole_length() {
    let longest = |made| policy().pause(SILENT, made, Duration::ZERO, 1.0);
    let pauses: Vec<_> = (1..6).filter_map(longest).collect();
    assert_eq!(pauses, [1, 2, 4, 5, 5].map(Duration::from_secs));
    let pause = |chance| policy().pause(SILENT, 2, Duration::ZERO, chance);
    assert_eq!(pause(0.0), Some(Duration::ZERO));
    assert_eq!(pause(0.25), Some(SECOND / 2));
}

#[test]
fn attempts_end_with_their_number() {
    assert!(policy().pause(SILENT, 5, Duration::ZERO, 1.0).is_some());
    assert_eq!(policy().pause(SILENT, 6, Duration::ZERO, 1.0), None);
    assert_eq!(
        RetryPolicy::off().pause(SILENT, 1, Duration::ZERO, 0.0),
        None
    );
    let many = RetryPolicy::attempts(u32::MAX);
    assert_eq!(many.pause(SILENT, 99, Duration::ZERO, 1.0), Some(many.cap));
}

#[test]
fn no_attempt_begins_after_the_budget() {
    let asked = |seconds| Trouble {
        asked: Some(SECOND * seconds),
    };
    let pause = |trouble, elapsed| policy().pause(trouble, 1, SECOND * elapsed, 1.0);
    assert_eq!(pause(asked(20), 40), Some(SECOND * 20));
    assert_eq!(pause(asked(21), 40), None);
    assert_eq!(pause(SILENT, 59), Some(SECOND));
    assert_eq!(pause(SILENT, 60), None);
    let forever = Trouble {
        asked: Some(Duration::MAX),
    };
    assert_eq!(pause(forever, 1), None);
}
