//! Metrics in the `OpenMetrics` format. No label holds an id or a secret.

use std::sync::atomic::Ordering;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::store::Store;

/// The media type of the text.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// The upper bounds of the latency's buckets, in seconds.
const BUCKETS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    operation: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Of {
    operation: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Fired {
    kind: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Delivered {
    result: &'static str,
}

/// The metrics of one sandbox.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    latency: Family<Of, Histogram>,
    commits: Counter,
    writes: Counter,
    queued: Gauge,
    fired: Family<Fired, Counter>,
    notifications: Family<Delivered, Counter>,
}

impl Metrics {
    /// All metrics at zero.
    pub fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("sandbox"),
            requests: Family::default(),
            latency: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            commits: Counter::default(),
            writes: Counter::default(),
            queued: Gauge::default(),
            fired: Family::default(),
            notifications: Family::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register(
            "requests",
            "Requests by operation and status",
            self.requests.clone(),
        );
        registry.register_with_unit(
            "latency",
            "Time from a request to its answer",
            Unit::Seconds,
            self.latency.clone(),
        );
        registry.register("commits", "Commits of the database", self.commits.clone());
        registry.register("writes", "Commands in those commits", self.writes.clone());
        registry.register(
            "queued",
            "Commands that wait for their commit",
            self.queued.clone(),
        );
        registry.register("timers_fired", "Fired timers by kind", self.fired.clone());
        registry.register(
            "notifications",
            "Attempts to send notifications by result",
            self.notifications.clone(),
        );
    }

    /// Counts an answered request.
    pub fn answered(&self, operation: &'static str, status: u16, took: Duration) {
        { self.requests.get_or_create(&Answered { operation, status }) }.inc();
        let latency = self.latency.get_or_create(&Of { operation });
        latency.observe(took.as_secs_f64());
    }

    /// Reads the counts of the store.
    pub fn read(&self, store: &Store) {
        let counters = store.counters();
        { self.commits.inner() }.store(counters.commits(), Ordering::Relaxed);
        { self.writes.inner() }.store(counters.writes(), Ordering::Relaxed);
        let waiting = i64::try_from(store.waiting()).unwrap_or(i64::MAX);
        self.queued.set(waiting);
    }

    /// Counts a fired timer.
    pub fn fired(&self, kind: &str) {
        let kind = kind.to_owned();
        self.fired.get_or_create(&Fired { kind }).inc();
    }

    /// Counts an attempt to send a notification.
    pub fn notified(&self, result: &'static str) {
        self.notifications
            .get_or_create(&Delivered { result })
            .inc();
    }

    /// The text of all metrics.
    pub fn text(&self) -> String {
        let mut written = String::new();
        // Writing to a string cannot fail.
        let _ = text::encode(&mut written, &self.registry);
        written
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Database, StoreSettings};

    #[test]
    fn counts_are_in_the_text() {
        let metrics = Metrics::new();
        metrics.answered("createPurchase", 201, Duration::from_millis(3));
        metrics.answered("createPurchase", 201, Duration::from_millis(3));
        let store = Store::open(&Database::Memory, StoreSettings::default()).unwrap();
        metrics.read(&store);
        metrics.fired("expiry");
        metrics.notified("delivered");
        let text = metrics.text();
        for line in [
            r#"sandbox_requests_total{operation="createPurchase",status="201"} 2"#,
            r#"sandbox_latency_seconds_bucket{le="0.005",operation="createPurchase"} 2"#,
            r#"sandbox_latency_seconds_bucket{le="0.0025",operation="createPurchase"} 0"#,
            "sandbox_commits_total 0",
            "sandbox_writes_total 0",
            "sandbox_queued 0",
            r#"sandbox_timers_fired_total{kind="expiry"} 1"#,
            r#"sandbox_notifications_total{result="delivered"} 1"#,
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
