//! The active faults by merchant. They are kept in memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::fault::{Armed, Effect, Fault};
use crate::store::Merchant;

/// The most faults of a merchant.
pub const MOST: usize = 100;

/// The faults of all merchants.
#[derive(Debug, Default)]
pub struct Faults {
    last: AtomicU64,
    /// The number of all faults; while it is zero, requests take no lock.
    count: AtomicU64,
    armed: Mutex<BTreeMap<Merchant, BTreeMap<u64, Armed>>>,
}

/// The effect of a fault on a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The number of the fault.
    pub fault: u64,
    /// How long the request waits.
    pub latency: Duration,
    /// The effect after the wait.
    pub effect: Option<Effect>,
}

impl Faults {
    /// Adds a fault and returns its number; `None` when the merchant has too many.
    pub fn arm(&self, merchant: Merchant, fault: Fault) -> Option<u64> {
        let mut armed = self.lock();
        let of_merchant = armed.entry(merchant).or_default();
        if of_merchant.len() >= MOST {
            return None;
        }
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        of_merchant.insert(number, Armed::new(fault));
        self.recount(&armed);
        Some(number)
    }

    /// The faults of a merchant, in the order of their numbers.
    pub fn all(&self, merchant: Merchant) -> Vec<(u64, Armed)> {
        let armed = self.lock();
        let of_merchant = armed.get(&merchant).into_iter().flatten();
        of_merchant
            .map(|(number, armed)| (*number, armed.clone()))
            .collect()
    }

    /// Removes one fault of a merchant or all of them; returns how many.
    pub fn disarm(&self, merchant: Merchant, number: Option<u64>) -> usize {
        let mut armed = self.lock();
        let ended = match (armed.get_mut(&merchant), number) {
            (None, _) => 0,
            (Some(of_merchant), Some(number)) => usize::from(of_merchant.remove(&number).is_some()),
            (Some(of_merchant), None) => std::mem::take(of_merchant).len(),
        };
        self.recount(&armed);
        ended
    }

    /// Whether no merchant has a fault.
    pub fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    /// The first fault that hits this request.
    pub fn hit(
        &self,
        merchant: Merchant,
        operation: Option<&str>,
        method: &str,
        path: &str,
    ) -> Option<Hit> {
        let mut armed = self.lock();
        for (number, armed) in armed.get_mut(&merchant)? {
            if armed.hits(operation, method, path) {
                return Some(Hit {
                    fault: *number,
                    latency: armed.fault.latency,
                    effect: armed.fault.effect,
                });
            }
        }
        None
    }

    fn recount(&self, armed: &BTreeMap<Merchant, BTreeMap<u64, Armed>>) {
        let count: usize = armed.values().map(BTreeMap::len).sum();
        self.count.store(count as u64, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Merchant, BTreeMap<u64, Armed>>> {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fault::Matching;

    const A: Merchant = Merchant(1);
    const B: Merchant = Merchant(2);

    fn fault(effect: Effect, times: Option<u64>) -> Fault {
        Fault {
            matching: Matching::default(),
            latency: Duration::from_millis(5),
            effect: Some(effect),
            per_million: Fault::ALWAYS,
            seed: 0,
            times,
        }
    }

    #[test]
    fn the_first_fault_that_hits_decides() {
        let faults = Faults::default();
        let first = faults.arm(A, fault(Effect::Status(503), Some(1))).unwrap();
        let second = faults.arm(A, fault(Effect::DropAnswer, None)).unwrap();
        let hit = || faults.hit(A, None, "GET", "/").map(|hit| hit.fault);
        assert_eq!(
            (hit(), hit(), hit()),
            (Some(first), Some(second), Some(second))
        );
        assert_eq!(faults.hit(B, None, "GET", "/"), None);
        assert_eq!(faults.all(A)[1].1.hit, 2);
        assert_eq!(faults.disarm(A, Some(second)), 1);
        assert_eq!(faults.disarm(A, Some(second)), 0);
        assert_eq!(hit(), None);
        assert_eq!(faults.disarm(A, None), 1);
        assert_eq!(faults.all(A).len(), 0);
    }

    #[test]
    fn the_number_of_faults_is_limited() {
        let faults = Faults::default();
        for _ in 0..MOST {
            assert!(faults.arm(A, fault(Effect::Status(500), None)).is_some());
        }
        assert_eq!(faults.arm(A, fault(Effect::Status(500), None)), None);
    }
}
