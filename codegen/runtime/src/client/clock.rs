//! The time as a client sees it.

use std::fmt;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

/// A wait that is over when it is awaited.
pub type Wait = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The time as a client sees it. Pauses and the age of tokens are measured with it, so that a test
/// can do without waiting.
pub trait Clock: fmt::Debug + Send + Sync {
    /// A point in time that only goes forward.
    fn instant(&self) -> Instant;

    /// The time of day.
    fn now(&self) -> SystemTime;

    /// Waits so long.
    fn wait(&self, pause: Duration) -> Wait;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn instant(&self) -> Instant {
        Instant::now()
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn wait(&self, pause: Duration) -> Wait {
        Box::pin(tokio::time::sleep(pause))
    }
}
