//! The last exchanges of each merchant.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use super::message::Message;
use crate::store::Merchant;

/// How many exchanges of a merchant are kept.
pub const KEPT: usize = 200;

/// A request, its answer, and what became known in between.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Its number, counted from one since the program was started.
    pub number: u64,
    /// When the request came, by the machine's clock.
    pub at: Timestamp,
    /// How long the answer took.
    pub took: Duration,
    /// The id of the exchange.
    pub request_id: String,
    /// The method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The operation that was meant.
    pub operation: Option<&'static str>,
    /// The status of the answer; none when the connection was dropped instead.
    pub status: Option<u16>,
    /// The number of the fault that was injected.
    pub fault: Option<u64>,
    /// The request.
    pub request: Message,
    /// The answer.
    pub answer: Message,
}

/// What exchanges are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this operation.
    pub operation: Option<String>,
    /// With this method.
    pub method: Option<String>,
    /// With this status, or with one of a class such as `4xx`.
    pub status: Option<String>,
    /// With this text in path, query or request id.
    pub text: Option<String>,
}

/// The last exchanges, by merchant.
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
    /// Keeps an exchange and forgets the oldest when there are too many; gives it its number.
    pub fn add(&self, merchant: Merchant, mut exchange: Exchange) {
        let mut kept = self.lock();
        kept.last += 1;
        exchange.number = kept.last;
        let ring = kept.by_merchant.entry(merchant).or_default();
        ring.truncate(KEPT - 1);
        ring.push_front(Arc::new(exchange));
    }

    /// The exchanges of a merchant that fit, the latest first, `limit` at most.
    pub fn find(&self, merchant: Merchant, filter: &Filter, limit: usize) -> Vec<Arc<Exchange>> {
        let kept = self.lock();
        let ring = kept.by_merchant.get(&merchant).into_iter().flatten();
        let fitting = ring.filter(|exchange| filter.fits(exchange));
        fitting.take(limit).cloned().collect()
    }

    /// The exchange of this number.
    pub fn get(&self, merchant: Merchant, number: u64) -> Option<Arc<Exchange>> {
        let kept = self.lock();
        let mut ring = kept.by_merchant.get(&merchant)?.iter();
        ring.find(|exchange| exchange.number == number).cloned()
    }

    /// Forgets the exchanges of a merchant.
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

/// Whether a status is the wanted one, or of the wanted class; `dropped` wants none.
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
    fn the_oldest_are_forgotten_and_merchants_are_apart() {
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
    fn a_filter_takes_what_fits() {
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
