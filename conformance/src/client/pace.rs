//! Pace: limits the request rate, and waits when the server asks for it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::transport::Transport;
use crate::exchange::{Answer, NoAnswer};

/// How often a request is repeated at most because the server asks to wait.
const ATTEMPTS: u32 = 3;

/// The pace of a run.
#[derive(Debug)]
pub(super) struct Pace {
    pause: Duration,
    patience: Duration,
    /// The earliest time of the next request.
    next: Mutex<Instant>,
}

impl Pace {
    pub(super) fn new(transport: &Transport) -> Self {
        Self {
            pause: transport.pause,
            patience: transport.patience,
            next: Mutex::new(Instant::now()),
        }
    }

    /// Waits until the next request may be sent.
    pub(super) async fn turn(&self) {
        if self.pause.is_zero() {
            return;
        }
        let turn = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = (*next).max(Instant::now());
            *next = turn + self.pause;
            turn
        };
        sleep_until(turn).await;
    }

    /// Waits as long as an answer asks for. Returns whether to send the request again.
    pub(super) async fn again(&self, answer: &Result<Answer, NoAnswer>, attempts: u32) -> bool {
        let wait = answer.as_ref().ok().and_then(requested_wait);
        match wait.filter(|wait| *wait <= self.patience && attempts < ATTEMPTS) {
            Some(_) if self.patience.is_zero() => false,
            Some(wait) => {
                sleep(wait).await;
                true
            }
            None => false,
        }
    }
}

/// How long a 429 or 503 asks to wait. `Retry-After` has whole seconds or a date.
fn requested_wait(answer: &Answer) -> Option<Duration> {
    if !matches!(answer.status, 429 | 503) {
        return None;
    }
    let text = answer.header("retry-after")?;
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text.trim()).ok()?;
    let wait = date.duration_since(std::time::SystemTime::now());
    Some(wait.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_with_retry_after_causes_a_wait() {
        let answer = |status: u16, wait: &str| {
            let header = ("retry-after".to_owned(), wait.as_bytes().to_vec());
            requested_wait(&Answer::new(status, vec![header], Ok(Vec::new())))
        };
        assert_eq!(answer(429, "2"), Some(Duration::from_secs(2)));
        assert_eq!(
            answer(503, "Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(Duration::ZERO)
        );
        assert_eq!(answer(503, "soon"), None);
        assert_eq!(answer(500, "2"), None);
        assert_eq!(
            requested_wait(&Answer::new(429, Vec::new(), Ok(Vec::new()))),
            None
        );
    }
}
