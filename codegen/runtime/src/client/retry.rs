//! Whether and when a request is sent again.

use std::time::{Duration, SystemTime};

use super::super::answer::Answer;
use super::super::json;
use super::super::operation::Repeat;
use super::error::Cause;
use super::retry_after;

/// Whether and when a request is sent again after there was no answer, or one that says the server
/// could not deal with it now: 408, 425, 429, 502, 503, 504.
///
/// Only what may be repeated is: see [`Repeat`]. A pause is a random part of the base, doubled with
/// each attempt up to the cap, so that clients which failed together do not come back together. A
/// `Retry-After` of the server is heeded instead, as long as the budget holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How often a request is sent at most, the first time among them.
    pub max_attempts: u32,
    /// The longest first pause.
    pub base: Duration,
    /// The longest pause, unless the server asks for a longer one.
    pub cap: Duration,
    /// How long after the first attempt began another one may begin.
    pub budget: Duration,
}

impl RetryPolicy {
    /// No request is sent twice.
    pub const fn off() -> Self {
        Self::attempts(1)
    }

    /// A request is sent so often at most, the first time among them.
    pub const fn attempts(max_attempts: u32) -> Self {
        Self {
            max_attempts,
            base: Duration::from_millis(200),
            cap: Duration::from_secs(10),
            budget: Duration::new(60, 0),
        }
    }

    /// Whether a request may be sent more than once.
    pub const fn is_on(&self) -> bool {
        self.max_attempts > 1
    }

    /// How long to wait before the next attempt; nothing when there is none.
    ///
    /// `made` attempts have failed, the first of them began `elapsed` ago; `chance` is from 0 to 1.
    pub fn pause(
        &self,
        trouble: Trouble,
        made: u32,
        elapsed: Duration,
        chance: f64,
    ) -> Option<Duration> {
        if made >= self.max_attempts {
            return None;
        }
        let doubled = self.base.saturating_mul(1 << (made.max(1) - 1).min(30));
        let spread = doubled.min(self.cap).mul_f64(chance.clamp(0.0, 1.0));
        let pause = trouble.asked.unwrap_or(spread);
        (elapsed.saturating_add(pause) <= self.budget).then_some(pause)
    }
}

impl Default for RetryPolicy {
    /// Three attempts.
    fn default() -> Self {
        Self::attempts(3)
    }
}

/// Whether a request may be sent again by what the document says about its operation.
pub(super) fn is_repeatable(repeat: Repeat, body: &[u8]) -> bool {
    match repeat {
        Repeat::Idempotent | Repeat::Keyed(_) => true,
        Repeat::NaturalKey(property) => {
            let value = json::at(body, &format!("/{}", json::escape(property)));
            value.is_some_and(|value| !matches!(value.get(), "null" | "\"\""))
        }
        Repeat::Never => false,
    }
}

/// A failure after which another attempt makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// How long the server asks to wait.
    pub asked: Option<Duration>,
}

/// The trouble that another attempt may overcome.
pub(super) fn trouble(result: Result<&Answer, &Cause>, now: SystemTime) -> Option<Trouble> {
    match result {
        Err(Cause::Connection(error)) => {
            let broken =
                error.is_connect() || error.is_timeout() || error.is_request() || error.is_body();
            broken.then_some(Trouble { asked: None })
        }
        Err(cause) => cause.is_timeout().then_some(Trouble { asked: None }),
        Ok(answer) => {
            let passing = matches!(answer.status.as_u16(), 408 | 425 | 429 | 502 | 503 | 504);
            let asked = retry_after::read(&answer.headers, now);
            passing.then_some(Trouble { asked })
        }
    }
}

/// A number from 0 to 1.
pub(super) fn chance() -> f64 {
    let bytes = uuid::Uuid::new_v4().into_bytes();
    let number = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    f64::from(number) / f64::from(u32::MAX)
}
