//! Injected faults: which requests they hit, and how they change the response.

use std::time::Duration;

/// A fault as requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The requests it may hit.
    pub matching: Matching,
    /// How long a hit request waits first.
    pub latency: Duration,
    /// The effect after the wait; without one, the request is handled as usual.
    pub effect: Option<Effect>,
    /// How many of a million matching requests are hit.
    pub per_million: u32,
    /// The seed of the selection: the same seed hits the same requests.
    pub seed: u64,
    /// The largest number of requests that are hit; unlimited when absent.
    pub times: Option<u64>,
}

/// The requests that a fault may hit: those that fulfil every given condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// Requests of this operation.
    pub operation: Option<String>,
    /// Requests with this method.
    pub method: Option<String>,
    /// Requests with this path, in which `*` matches any text.
    pub path: Option<String>,
}

/// The effect on a hit request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The server answers with this status and changes nothing.
    Status(u16),
    /// The server closes the connection before it handles the request.
    DropRequest,
    /// The server handles the request and closes the connection before it answers.
    DropAnswer,
}

/// A fault with counts of its matches and hits.
#[derive(Clone, Debug)]
pub struct Armed {
    /// The fault as requested.
    pub fault: Fault,
    /// How many requests matched.
    pub matched: u64,
    /// How many of them were hit.
    pub hit: u64,
}

impl Fault {
    /// The rate that hits every matching request.
    pub const ALWAYS: u32 = 1_000_000;
}

impl Armed {
    /// A fault with no matches yet.
    pub const fn new(fault: Fault) -> Self {
        Self {
            fault,
            matched: 0,
            hit: 0,
        }
    }

    /// Counts the request and returns whether the fault hits it.
    pub fn hits(&mut self, operation: Option<&str>, method: &str, path: &str) -> bool {
        let spent = self.fault.times.is_some_and(|times| self.hit >= times);
        if spent || !self.fault.matching.fits(operation, method, path) {
            return false;
        }
        let draw = scramble(self.fault.seed, self.matched) % u64::from(Fault::ALWAYS);
        self.matched += 1;
        let hit = draw < u64::from(self.fault.per_million);
        self.hit += u64::from(hit);
        hit
    }
}

impl Matching {
    fn fits(&self, operation: Option<&str>, method: &str, path: &str) -> bool {
        let same = |wanted: &Option<String>, is: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| is == Some(wanted))
        };
        same(&self.operation, operation)
            && same(&self.method, Some(method))
            && self
                .path
                .as_deref()
                .is_none_or(|pattern| is_like(pattern, path))
    }
}

/// Whether the text matches a pattern in which `*` matches any text.
fn is_like(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        match text.find(piece) {
            Some(at) => text = &text[at + piece.len()..],
            None => return false,
        }
    }
    text.ends_with(last)
}

/// The n-th number of a pseudo-random sequence (`SplitMix64`).
const fn scramble(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(per_million: u32, seed: u64) -> Armed {
        Armed::new(Fault {
            matching: Matching::default(),
            latency: Duration::ZERO,
            effect: None,
            per_million,
            seed,
            times: None,
        })
    }

    fn hits(mut fault: Armed, requests: usize) -> Vec<bool> {
        std::iter::repeat_with(|| fault.hits(None, "GET", "/"))
            .take(requests)
            .collect()
    }

    #[test]
    fn the_same_seed_hits_the_same_requests() {
        let hit = |list: &[bool]| list.iter().filter(|hit| **hit).count();
        assert_eq!(hit(&hits(fault(Fault::ALWAYS, 1), 100)), 100);
        assert_eq!(hit(&hits(fault(0, 1), 100)), 0);
        let half = hits(fault(500_000, 7), 1000);
        assert_eq!(half, hits(fault(500_000, 7), 1000));
        assert_ne!(half, hits(fault(500_000, 8), 1000));
        assert!((400..600).contains(&hit(&half)), "{}", hit(&half));
    }

    #[test]
    fn a_fault_ends_after_its_limit() {
        let mut fault = fault(Fault::ALWAYS, 0);
        fault.fault.times = Some(2);
        assert_eq!(hits(fault, 3), [true, true, false]);
    }

    #[test]
    fn only_matching_requests_are_hit() {
        let matching =
            |operation: Option<&str>, method: Option<&str>, path: Option<&str>| Matching {
                operation: operation.map(str::to_owned),
                method: method.map(str::to_owned),
                path: path.map(str::to_owned),
            };
        let table = [
            (matching(None, None, None), true),
            (matching(Some("getTransaction"), None, None), true),
            (matching(Some("createPurchase"), None, None), false),
            (
                matching(None, Some("GET"), Some("/v1/transactions/*")),
                true,
            ),
            (
                matching(None, Some("POST"), Some("/v1/transactions/*")),
                false,
            ),
            (matching(None, None, Some("/v1/transactions")), false),
            (matching(None, None, Some("*/7")), true),
            (matching(None, None, Some("/v*/trans*/*")), true),
            (matching(None, None, Some("/v1/*/8")), false),
            (matching(None, None, Some("/v1/transactions/7")), true),
        ];
        for (matching, expected) in table {
            let fits = matching.fits(Some("getTransaction"), "GET", "/v1/transactions/7");
            assert_eq!(fits, expected, "{matching:?}");
        }
    }
}
