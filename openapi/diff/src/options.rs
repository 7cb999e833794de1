//! What a comparison is told from outside.

use jiff::civil::Date;

/// What a comparison is told from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The day of the comparison; sunsets are seen from it.
    pub today: Date,
    /// Days that the sunset of a beta operation must lie ahead when it is deprecated; with 0 it
    /// needs no sunset.
    pub sunset_days_beta: u16,
    /// Days that the sunset of a stable operation must lie ahead when it is deprecated; with 0 it
    /// needs no sunset. An operation without `x-stability-level` is stable.
    pub sunset_days_stable: u16,
}

impl Options {
    /// The options of a day, with 31 days for beta and 180 for stable operations.
    pub fn on(today: Date) -> Self {
        Self {
            today,
            sunset_days_beta: 31,
            sunset_days_stable: 180,
        }
    }
}
