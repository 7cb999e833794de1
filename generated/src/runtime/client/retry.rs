//! When to send a request again.

use std::time::Duration;

use http::header;

use super::super::answer::Answer;
use super::error::Cause;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// How long to wait before the next attempt, or nothing when another one makes no sense.
///
/// Pauses double from one attempt to the next and are spread by up to a half, so that clients which
/// failed together do not come back together. A server that says how long to wait is heeded.
pub(super) fn pause(result: Result<&Answer, &Cause>, attempt: u32) -> Option<Duration> {
    let pause = FIRST_PAUSE
        .saturating_mul(1 << attempt.min(10))
        .min(LONGEST_PAUSE);
    let spread = pause / 2 + pause.mul_f64(chance() / 2.0);
    match result {
        Err(Cause::Connection(error)) => {
            (error.is_connect() || error.is_timeout() || error.is_request()).then_some(spread)
        }
        Err(cause) => cause.is_timeout().then_some(spread),
        Ok(answer) => match answer.status.as_u16() {
            429 | 503 => match asked(answer) {
                Some(asked) => (asked <= LONGEST_PAUSE).then_some(asked),
                None => Some(spread),
            },
            502 | 504 => Some(spread),
            _ => None,
        },
    }
}

fn asked(answer: &Answer) -> Option<Duration> {
    let seconds = answer
        .headers
        .get(header::RETRY_AFTER)?
        .to_str()
        .ok()?
        .parse()
        .ok()?;
    Some(Duration::from_secs(seconds))
}

/// A number from 0 to 1.
fn chance() -> f64 {
    f64::from(uuid::Uuid::new_v4().as_bytes()[0]) / 255.0
}
