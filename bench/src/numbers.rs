//! Numbers as the tables show them.

use std::time::Duration;

/// The median, or the default for an empty list.
pub(crate) fn median<T: PartialOrd + Copy + Default>(mut all: Vec<T>) -> T {
    all.sort_unstable_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    all.get(all.len() / 2).copied().unwrap_or_default()
}

pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1_000.0)
}

/// The mean of a total, in microseconds.
#[expect(clippy::cast_precision_loss, reason = "a mean of some digits")]
pub(crate) fn micros_each(total: f64, count: u64) -> f64 {
    total / count.max(1) as f64
}
