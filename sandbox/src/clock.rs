//! The source of the present time.

use jiff::{Timestamp, Unit};

/// A clock. Only the service reads it; the domain gets times as arguments.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The present time in whole milliseconds, which is the stored precision.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        now.round(Unit::Millisecond).unwrap_or(now)
    }
}
