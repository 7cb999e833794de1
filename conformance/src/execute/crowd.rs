//! Crowd: how many requests of the run are under way at once. What fails beside others is repeated alone before it is
//! judged, and fewer go together from then on.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, Semaphore, SemaphorePermit};

use crate::exchange::{Answer, Exchange, NoAnswer};

/// The requests of a run that are under way. Races are not counted: to send requests at once is their purpose.
#[derive(Debug)]
pub(super) struct Crowd {
    /// As many permits as requests may be under way at once.
    turns: Semaphore,
    /// How many permits there are.
    limit: Cell<u32>,
    /// How many of them are given up as soon as their requests are over.
    surplus: Cell<u32>,
    /// Shared by requests beside others; exclusive for one alone.
    gate: RwLock<()>,
    under_way: Cell<usize>,
    /// How many have begun so far.
    begun: Cell<u64>,
    /// The operations that failed beside other requests, and not alone, with how often.
    strained: RefCell<BTreeMap<String, usize>>,
}

/// A request that is under way until this is dropped.
#[derive(Debug)]
pub(super) struct Turn<'c> {
    crowd: &'c Crowd,
    /// Whether another request was under way when it began.
    was_beside: bool,
    /// How many had begun when it did.
    begun: u64,
    permit: Option<SemaphorePermit<'c>>,
    _gate: Gate<'c>,
}

/// How a request passes the gate.
#[derive(Debug)]
enum Gate<'c> {
    Beside(#[expect(dead_code, reason = "it is held, not read")] RwLockReadGuard<'c, ()>),
    Alone(#[expect(dead_code, reason = "it is held, not read")] RwLockWriteGuard<'c, ()>),
}

impl Crowd {
    /// At most so many requests are under way at once.
    pub(super) fn new(limit: u32) -> Self {
        let limit = limit.max(1);
        Self {
            turns: Semaphore::new(usize::try_from(limit).unwrap_or(1)),
            limit: Cell::new(limit),
            surplus: Cell::new(0),
            gate: RwLock::new(()),
            under_way: Cell::new(0),
            begun: Cell::new(0),
            strained: RefCell::default(),
        }
    }

    /// Waits for a turn beside others.
    pub(super) async fn enter(&self) -> Turn<'_> {
        let permit = self.turns.acquire().await.ok();
        let gate = Gate::Beside(self.gate.read().await);
        self.begin(permit, gate)
    }

    /// Waits until no other request is under way, and keeps others waiting.
    pub(super) async fn enter_alone(&self) -> Turn<'_> {
        let gate = Gate::Alone(self.gate.write().await);
        self.begin(None, gate)
    }

    fn begin<'c>(&'c self, permit: Option<SemaphorePermit<'c>>, gate: Gate<'c>) -> Turn<'c> {
        let was_beside = self.under_way.get() > 0;
        self.under_way.set(self.under_way.get() + 1);
        self.begun.set(self.begun.get() + 1);
        Turn {
            crowd: self,
            was_beside,
            begun: self.begun.get(),
            permit,
            _gate: gate,
        }
    }

    /// Notes that a request failed beside others and not alone: one request less is under way at once from now on.
    pub(super) fn strain(&self, operation: &str) {
        let mut strained = self.strained.borrow_mut();
        *strained.entry(operation.to_owned()).or_default() += 1;
        if self.limit.get() > 1 {
            self.limit.set(self.limit.get() - 1);
            self.surplus.set(self.surplus.get() + 1);
        }
    }

    /// The operations that failed beside other requests, and not alone, with how often.
    pub(super) fn strained(&self) -> BTreeMap<String, usize> {
        self.strained.borrow().clone()
    }
}

impl Turn<'_> {
    /// Whether another request was under way at the same time.
    pub(super) fn was_crowded(&self) -> bool {
        self.was_beside || self.crowd.begun.get() > self.begun
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let crowd = self.crowd;
        crowd.under_way.set(crowd.under_way.get() - 1);
        let surplus = crowd.surplus.get();
        if let Some(permit) = self.permit.take_if(|_| surplus > 0) {
            crowd.surplus.set(surplus - 1);
            permit.forget();
        }
    }
}

/// Whether an outcome may be due to other requests that are under way.
pub(super) fn is_failure(outcome: &Result<Answer, NoAnswer>) -> bool {
    match outcome {
        Ok(answer) => answer.status >= 500 || answer.body.is_err(),
        Err(NoAnswer::Withheld(_)) => false,
        Err(_) => true,
    }
}

/// What counts of a request that failed beside others and was repeated alone. What recurs counts; what does not is the
/// answer of the second time, unless the first may have changed what the second was refused for.
pub(super) fn reconcile(first: Exchange, again: Exchange) -> Exchange {
    let Ok(answer) = &again.outcome else {
        return first;
    };
    if is_failure(&again.outcome) {
        return first;
    }
    if again.sent.method.is_safe() || answer.is_success() {
        return again;
    }
    let reason = format!(
        "it failed while other requests of the run were under way, and alone it was answered {}: nothing is known of the first",
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
    async fn who_is_alone_keeps_others_waiting() {
        let crowd = Crowd::new(2);
        let first = crowd.enter().await;
        assert!(!first.was_crowded());
        let second = crowd.enter().await;
        assert!(first.was_crowded() && second.was_crowded());
        let mut alone = Box::pin(crowd.enter_alone());
        assert!(alone.as_mut().now_or_never().is_none());
        drop((first, second));
        let alone = alone.await;
        assert!(crowd.enter().now_or_never().is_none());
        drop(alone);
        assert!(crowd.enter().now_or_never().is_some());
    }

    #[tokio::test]
    async fn fewer_go_together_after_a_failure_of_many() {
        let crowd = Crowd::new(2);
        let first = crowd.enter().await;
        crowd.strain("listThings");
        drop(first);
        let first = crowd.enter().await;
        assert!(crowd.enter().now_or_never().is_none());
        drop(first);
        // One always may.
        crowd.strain("listThings");
        drop(crowd.enter().await);
        assert!(crowd.enter().now_or_never().is_some());
        assert_eq!(
            crowd.strained(),
            BTreeMap::from([("listThings".to_owned(), 2)])
        );
    }
}
