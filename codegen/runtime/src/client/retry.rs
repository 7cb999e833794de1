//! Whether and when a request is sent again.

use std::time::{Duration, SystemTime};

use super::super::answer::Answer;
#[cfg(feature = "keys")]
use super::super::json;
#[cfg(feature = "keys")]
use super::super::operation::Repeat;
use super::error::Cause;
use super::retry_after;

/// Whether and when a request is sent again after no answer, or after a status of a temporary
/// failure: 408, 425, 429, 502, 503, 504.
///
/// Only repeatable requests are sent again: see [`Repeat`](super::super::Repeat). A pause is a random part of the base,
/// which doubles with each attempt up to the cap, so that clients that failed together do not retry
/// together. A `Retry-After` of the server replaces the pause, as long as it fits the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The most often that a request is sent, including the first time.
    pub max_attempts: u32,
    /// The longest first pause.
    pub base: Duration,
    /// The longest pause, unless the server asks for a longer one.
    pub cap: Duration,
    /// The longest time from the start of the first attempt to the start of the last one.
    pub budget: Duration,
}

impl RetryPolicy {
    /// Never sends a request twice.
    pub const fn off() -> Self {
        Self::attempts(1)
    }

    /// Sends a request at most this often, including the first time.
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

    /// How long to wait before the next attempt; `None` when attempts or budget are used up.
    ///
    /// `made` is the number of failed attempts; the first began `elapsed` ago. `chance` is from 0
    /// to 1.
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

/// Whether the document allows a client to send a request of its operation again.
#[cfg(feature = "keys")]
pub(super) fn is_repeatable(repeat: Repeat, request: &reqwest::Request) -> bool {
    match repeat {
        Repeat::Idempotent | Repeat::Keyed(_) => true,
        Repeat::NaturalKey(property) => {
            let body = request.body().and_then(reqwest::Body::as_bytes);
            let pointer = format!("/{}", json::escape(property));
            let value = json::at(body.unwrap_or_default(), &pointer);
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

/// The failure, when another attempt may succeed.
pub(super) fn trouble(result: Result<&Answer, &Cause>, now: SystemTime) -> Option<Trouble> {
    match result {
        Err(Cause::Connection(error)) => {
            let broken =
                error.is_connect() || error.is_timeout() || error.is_request() || error.is_body();
            broken.then_some(Trouble { asked: None })
        }
        #[cfg(feature = "streams")]
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
