//! Options: the date and the limits of a comparison.

use jiff::civil::Date;

/// Options of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The date of the comparison, which decides whether a sunset is over.
    pub today: Date,
    /// The minimum number of days until the sunset when a beta operation is deprecated; with 0, it
    /// needs no sunset.
    pub sunset_days_beta: u16,
    /// The minimum number of days until the sunset when a stable operation is deprecated; with 0,
    /// it needs no sunset. An operation without `x-stability-level` is stable.
    pub sunset_days_stable: u16,
}

impl Options {
    /// Options for a date, with 31 days for beta and 180 days for stable operations.
    pub fn on(today: Date) -> Self {
        Self {
            today,
            sunset_days_beta: 31,
            sunset_days_stable: 180,
        }
    }
}
