//! Counts commits and writes for the metrics.

use std::sync::atomic::{AtomicU64, Ordering};

/// The counts since the store was opened.
#[derive(Debug, Default)]
pub struct Counters {
    commits: AtomicU64,
    writes: AtomicU64,
}

impl Counters {
    /// Counts a commit; returns the number of writes before and after it.
    pub(super) fn committed(&self, writes: usize) -> (u64, u64) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        let writes = u64::try_from(writes).unwrap_or(u64::MAX);
        let before = self.writes.fetch_add(writes, Ordering::Relaxed);
        (before, before.saturating_add(writes))
    }

    /// The number of commits.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// The number of writes in these commits.
    pub fn writes(&self) -> u64 {
        self.writes.load(Ordering::Relaxed)
    }
}
