//! Injected faults: which requests they hit, and what happens to those.

use std::time::Duration;

/// What a fault is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The requests it may hit.
    pub matching: Matching,
    /// How long the request waits first.
    pub latency: Duration,
    /// What happens to it then; without one it is answered as usual.
    pub effect: Option<Effect>,
    /// How many of a million matching requests are hit.
    pub per_million: u32,
    /// Decides which of them, the same ones for the same seed.
    pub seed: u64,
    /// How many requests are hit at most.
    pub times: Option<u64>,
}

/// The requests that a fault may hit: those that fit all that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// Of this operation.
    pub operation: Option<String>,
    /// With this method.
    pub method: Option<String>,
    /// With this path, in which `*` stands for any text.
    pub path: Option<String>,
}

/// What happens to a request instead of its usual answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// This error, and nothing is done.
    Status(u16),
    /// The connection ends before anything is done.
    DropRequest,
    /// All is done, and the connection ends before the answer.
    DropAnswer,
}

/// A fault and how often it has been at work.
#[derive(Clone, Debug)]
pub struct Armed {
    /// What was asked for.
    pub fault: Fault,
    /// How many requests matched.
    pub matched: u64,
    /// How many of them were hit.
    pub hit: u64,
}

impl Fault {
    /// Every request that matches.
    pub const ALWAYS: u32 = 1_000_000;
}

impl Armed {
    /// A fault that has not been at work yet.
    pub const fn new(fault: Fault) -> Self {
        Self {
            fault,
            matched: 0,
            hit: 0,
        }
    }

    /// Whether this request is hit; counts it.
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

/// Whether a text is like a pattern in which `*` stands for any text.
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

/// The n-th number of a sequence that looks like chance (`SplitMix64`).
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
    fn a_fault_ends_after_its_times() {
        let mut fault = fault(Fault::ALWAYS, 0);
        fault.fault.times = Some(2);
        assert_eq!(hits(fault, 3), [true, true, false]);
    }

    #[test]
    fn only_what_matches_is_hit() {
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
