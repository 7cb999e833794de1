//! Where the time comes from.

use jiff::{Timestamp, Unit};

/// Tells the time. The rules never ask: they are told.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The present time, in whole milliseconds: that is what is stored and shown.
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
