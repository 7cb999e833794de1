//! Keeps the latest exchanges of each merchant in memory.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use super::message::Message;
use crate::store::Merchant;

/// The number of exchanges that are kept per merchant.
pub const KEPT: usize = 200;

/// A request and its answer, with what the layers recorded.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Its number, counted from one since the start of the program.
    pub number: u64,
    /// When the request arrived, by the machine's clock.
    pub at: Timestamp,
    /// The time until the answer.
    pub took: Duration,
    /// The request id.
    pub request_id: String,
    /// The method.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// The operation; `None` when no operation matches.
    pub operation: Option<&'static str>,
    /// The status of the answer; `None` when the connection was dropped.
    pub status: Option<u16>,
    /// The number of the injected fault.
    pub fault: Option<u64>,
    /// The request.
    pub request: Message,
    /// The answer.
    pub answer: Message,
}

/// A filter for exchanges; an absent field matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The operation.
    pub operation: Option<String>,
    /// The method.
    pub method: Option<String>,
    /// The status, or a class such as `4xx`.
    pub status: Option<String>,
    /// A text in path, query or request id.
    pub text: Option<String>,
}

/// The latest exchanges, by merchant.
#[derive(Debug, Default)]
pub struct Log {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    last: u64,
    by_merchant: BTreeMap<Merchant, VecDeque<Arc<Exchange>>>,
}

impl Log {
    /// Adds an exchange, assigns its number, and removes the oldest one when the log is full.
    pub fn add(&self, merchant: Merchant, mut exchange: Exchange) {
        let mut kept = self.lock();
        kept.last += 1;
        exchange.number = kept.last;
        let ring = kept.by_merchant.entry(merchant).or_default();
        ring.truncate(KEPT - 1);
        ring.push_front(Arc::new(exchange));
    }

    /// The latest matching exchanges of a merchant, latest first; at most `limit`.
    pub fn find(&self, merchant: Merchant, filter: &Filter, limit: usize) -> Vec<Arc<Exchange>> {
        let kept = self.lock();
        let ring = kept.by_merchant.get(&merchant).into_iter().flatten();
        let fitting = ring.filter(|exchange| filter.fits(exchange));
        fitting.take(limit).cloned().collect()
    }

    /// The exchange with this number.
    pub fn get(&self, merchant: Merchant, number: u64) -> Option<Arc<Exchange>> {
        let kept = self.lock();
        let mut ring = kept.by_merchant.get(&merchant)?.iter();
        ring.find(|exchange| exchange.number == number).cloned()
    }

    /// Removes the exchanges of a merchant.
    pub fn clear(&self, merchant: Merchant) {
        self.lock().by_merchant.remove(&merchant);
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Filter {
    fn fits(&self, exchange: &Exchange) -> bool {
        let equal = |wanted: &Option<String>, is: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| is == Some(wanted))
        };
        equal(&self.operation, exchange.operation)
            && equal(&self.method, Some(&exchange.method))
            && self
                .status
                .as_deref()
                .is_none_or(|wanted| has_status(exchange.status, wanted))
            && self.text.as_deref().is_none_or(|text| {
                exchange.target.contains(text) || exchange.request_id.contains(text)
            })
    }
}

/// Whether the status equals `wanted` or is in its class; `dropped` matches a missing status.
fn has_status(status: Option<u16>, wanted: &str) -> bool {
    match status {
        None => wanted == "dropped",
        Some(status) => match wanted.strip_suffix("xx") {
            Some(class) => class.parse() == Ok(status / 100),
            None => wanted.parse() == Ok(status),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Merchant = Merchant(1);
    const B: Merchant = Merchant(2);

    fn exchange(target: &str, status: Option<u16>) -> Exchange {
        Exchange {
            number: 0,
            at: Timestamp::UNIX_EPOCH,
            took: Duration::ZERO,
            request_id: "r-1".to_owned(),
            method: "GET".to_owned(),
            target: target.to_owned(),
            operation: Some("getTransaction"),
            status,
            fault: None,
            request: Message::default(),
            answer: Message::default(),
        }
    }

    #[test]
    fn the_oldest_are_removed_and_merchants_are_separate() {
        let log = Log::default();
        for _ in 0..=KEPT {
            log.add(A, exchange("/", Some(200)));
        }
        log.add(B, exchange("/", Some(200)));
        let all = log.find(A, &Filter::default(), usize::MAX);
        assert_eq!(all.len(), KEPT);
        assert_eq!((all[0].number, all[KEPT - 1].number), (201, 2));
        assert_eq!(log.find(A, &Filter::default(), 3).len(), 3);
        assert!(log.get(A, 202).is_none());
        assert!(log.get(B, 202).is_some());
        log.clear(A);
        assert!(log.find(A, &Filter::default(), 1).is_empty());
        assert!(log.get(B, 202).is_some());
    }

    #[test]
    fn a_filter_returns_matching_exchanges() {
        let log = Log::default();
        for (target, status) in [("/one", Some(200)), ("/two", Some(404)), ("/two", None)] {
            log.add(A, exchange(target, status));
        }
        let some = |text: &str| Some(text.to_owned());
        let filter = Filter::default;
        let table = [
            (filter(), 3),
            (
                Filter {
                    status: some("404"),
                    ..filter()
                },
                1,
            ),
            (
                Filter {
                    status: some("2xx"),
                    ..filter()
                },
                1,
            ),
            (
                Filter {
                    status: some("dropped"),
                    ..filter()
                },
                1,
            ),
            (
                Filter {
                    status: some("x"),
                    ..filter()
                },
                0,
            ),
            (
                Filter {
                    text: some("/two"),
                    ..filter()
                },
                2,
            ),
            (
                Filter {
                    text: some("r-1"),
                    ..filter()
                },
                3,
            ),
            (
                Filter {
                    method: some("POST"),
                    ..filter()
                },
                0,
            ),
            (
                Filter {
                    operation: some("getTransaction"),
                    status: some("4xx"),
                    ..filter()
                },
                1,
            ),
        ];
        for (filter, count) in table {
            assert_eq!(log.find(A, &filter, 9).len(), count, "{filter:?}");
        }
    }
}
