//! Concurrency: limits how many requests are in flight. Repeats failures alone and lowers the limit
//! after them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, Semaphore, SemaphorePermit};

use crate::exchange::{Answer, Exchange, NoAnswer};

/// The pauses before a request is sent again to a server that says that it is unavailable.
pub(super) const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(3)];

/// After this many requests that stayed unavailable, the run waits no longer.
const PATIENCE: usize = 3;

/// The requests in flight. Races do not count, because they need parallel requests.
#[derive(Debug)]
pub(super) struct Concurrency {
    /// As many permits as requests may be in flight.
    turns: Semaphore,
    /// The number of permits.
    limit: Cell<u32>,
    /// The number of permits to drop when their requests end.
    surplus: Cell<u32>,
    /// Shared by parallel requests; exclusive for a request that runs alone.
    gate: RwLock<()>,
    running: Cell<usize>,
    /// The number of requests that began so far.
    begun: Cell<u64>,
    /// The operations that failed only beside other requests, with the number of failures.
    strained: RefCell<BTreeMap<String, usize>>,
    /// The number of requests that stayed unavailable after the pauses.
    unavailable: Cell<usize>,
}

/// A request in flight, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn<'c> {
    concurrency: &'c Concurrency,
    /// Whether another request was in flight when it began.
    was_beside: bool,
    /// The number of requests that had begun when it did.
    begun: u64,
    permit: Option<SemaphorePermit<'c>>,
    _gate: Gate<'c>,
}

/// How a request passes the gate.
#[derive(Debug)]
enum Gate<'c> {
    Beside(#[expect(dead_code, reason = "the guard is only held")] RwLockReadGuard<'c, ()>),
    Alone(#[expect(dead_code, reason = "the guard is only held")] RwLockWriteGuard<'c, ()>),
}

impl Concurrency {
    /// Allows at most `limit` requests in flight.
    pub(super) fn new(limit: u32) -> Self {
        let limit = limit.max(1);
        Self {
            turns: Semaphore::new(usize::try_from(limit).unwrap_or(1)),
            limit: Cell::new(limit),
            surplus: Cell::new(0),
            gate: RwLock::new(()),
            running: Cell::new(0),
            begun: Cell::new(0),
            strained: RefCell::default(),
            unavailable: Cell::new(0),
        }
    }

    /// Waits for a turn beside other requests.
    pub(super) async fn enter(&self) -> Turn<'_> {
        let permit = self.turns.acquire().await.ok();
        let gate = Gate::Beside(self.gate.read().await);
        self.begin(permit, gate)
    }

    /// Waits until no other request is in flight, and blocks others.
    pub(super) async fn enter_alone(&self) -> Turn<'_> {
        let gate = Gate::Alone(self.gate.write().await);
        self.begin(None, gate)
    }

    fn begin<'c>(&'c self, permit: Option<SemaphorePermit<'c>>, gate: Gate<'c>) -> Turn<'c> {
        let was_beside = self.running.get() > 0;
        self.running.set(self.running.get() + 1);
        self.begun.set(self.begun.get() + 1);
        Turn {
            concurrency: self,
            was_beside,
            begun: self.begun.get(),
            permit,
            _gate: gate,
        }
    }

    /// Notes that a request failed only beside others, and lowers the limit by one.
    pub(super) fn strain(&self, operation: &str) {
        let mut strained = self.strained.borrow_mut();
        *strained.entry(operation.to_owned()).or_default() += 1;
        if self.limit.get() > 1 {
            self.limit.set(self.limit.get() - 1);
            self.surplus.set(self.surplus.get() + 1);
        }
    }

    /// Whether to wait for a server that says that it is unavailable.
    pub(super) fn is_patient(&self) -> bool {
        self.unavailable.get() < PATIENCE
    }

    /// Notes that a request stayed unavailable after the pauses.
    pub(super) fn note_unavailable(&self) {
        self.unavailable.set(self.unavailable.get() + 1);
    }

    /// The operations that failed only beside other requests, with the number of failures.
    pub(super) fn strained(&self) -> BTreeMap<String, usize> {
        self.strained.borrow().clone()
    }
}

impl Turn<'_> {
    /// Whether another request was in flight at the same time.
    pub(super) fn had_company(&self) -> bool {
        self.was_beside || self.concurrency.begun.get() > self.begun
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let concurrency = self.concurrency;
        concurrency.running.set(concurrency.running.get() - 1);
        let surplus = concurrency.surplus.get();
        if let Some(permit) = self.permit.take_if(|_| surplus > 0) {
            concurrency.surplus.set(surplus - 1);
            permit.forget();
        }
    }
}

/// Whether the server says that it is not available, and not until when: the client waits for that.
pub(super) fn is_unavailable(outcome: &Result<Answer, NoAnswer>) -> bool {
    { outcome.as_ref() }.is_ok_and(|answer| {
        matches!(answer.status, 502..=504) && answer.header("retry-after").is_none()
    })
}

/// Whether an outcome may be caused by other requests in flight.
pub(super) fn is_failure(outcome: &Result<Answer, NoAnswer>) -> bool {
    match outcome {
        Ok(answer) => answer.status >= 500 || answer.body.is_err(),
        Err(NoAnswer::Withheld(_)) => false,
        Err(_) => true,
    }
}

/// The exchange to judge after a failed request was repeated alone. The second answer counts, also
/// if it is a failure again, unless it is a refusal that the first request may have caused.
pub(super) fn reconcile(first: Exchange, again: Exchange) -> Exchange {
    let Ok(answer) = &again.outcome else {
        return first;
    };
    if is_failure(&again.outcome) {
        return again;
    }
    if again.sent.method.is_safe() || answer.is_success() {
        return again;
    }
    let reason = format!(
        "it failed once, and the repeat alone was answered {}: the result of the first attempt is unknown",
        answer.status
    );
    Exchange {
        outcome: Err(NoAnswer::Withheld(reason)),
        ..again
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_request_alone_blocks_others() {
        let concurrency = Concurrency::new(2);
        let first = concurrency.enter().await;
        assert!(!first.had_company());
        let second = concurrency.enter().await;
        assert!(first.had_company() && second.had_company());
        let mut alone = Box::pin(concurrency.enter_alone());
        assert!(alone.as_mut().now_or_never().is_none());
        drop((first, second));
        let alone = alone.await;
        assert!(concurrency.enter().now_or_never().is_none());
        drop(alone);
        assert!(concurrency.enter().now_or_never().is_some());
    }

    #[tokio::test]
    async fn the_limit_falls_after_a_failure_beside_others() {
        let concurrency = Concurrency::new(2);
        let first = concurrency.enter().await;
        concurrency.strain("listThings");
        drop(first);
        let first = concurrency.enter().await;
        assert!(concurrency.enter().now_or_never().is_none());
        drop(first);
        // One request may always be in flight.
        concurrency.strain("listThings");
        drop(concurrency.enter().await);
        assert!(concurrency.enter().now_or_never().is_some());
        assert_eq!(
            concurrency.strained(),
            BTreeMap::from([("listThings".to_owned(), 2)])
        );
    }
}
