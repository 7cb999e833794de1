//! Notifications to a merchant: their ids, delivery attempts and retry schedule.
//!
//! The sandbox creates a notification together with the change that it reports, and sends it at
//! once. It retries on a schedule until the receiver accepts or permanently refuses it, or the
//! schedule ends.

use jiff::{SignedDuration, Timestamp};
pub use merchant_payments::behaviour::notification::Status;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::state::{self, Kind};

/// The name of an event: the kind of transaction, a dot, and its new status.
pub fn event(kind: Kind, status: state::Status) -> String {
    let noun = match kind {
        Kind::Purchase => "purchase",
        Kind::Refund => "refund",
        Kind::Payout => "payout",
    };
    format!("{noun}.{}", status.wire().to_ascii_lowercase())
}

/// The id of a notification. The same change at the same time has the same id, so that a repeated
/// decision creates no second notification.
pub fn id(transaction: Uuid, sequence: i64, event: &str, at: Timestamp) -> Uuid {
    let mut hash = Sha256::new();
    hash.update(transaction.as_bytes());
    hash.update(sequence.to_be_bytes());
    hash.update(at.as_millisecond().to_be_bytes());
    hash.update(event.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// The most attempts to send a notification.
pub const ATTEMPTS: u32 = 10;
/// The delay before each attempt: after the commit for the first, after the previous failure for
/// the others.
const DELAYS: [SignedDuration; ATTEMPTS as usize] = [
    SignedDuration::ZERO,
    SignedDuration::from_secs(5),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(30),
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(5),
    SignedDuration::from_hours(10),
    SignedDuration::from_hours(14),
    SignedDuration::from_hours(20),
    SignedDuration::from_hours(24),
];
/// The longest `Retry-After` that is respected: the longest delay of the schedule.
const LONGEST: SignedDuration = SignedDuration::from_hours(24);
/// The largest random change of a delay, in thousandths. It spreads the retries of notifications
/// that failed together.
const JITTER: i64 = 100;

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The receiver answered.
    Answered {
        /// The status of the answer.
        status: u16,
        /// The delay that the receiver asks for.
        retry_after: Option<SignedDuration>,
    },
    /// The receiver did not answer.
    Failed(Failure),
}

/// Why there was no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Failure {
    /// The egress policy denies the address.
    Denied,
    /// The host name has no address.
    Unresolved,
    /// The connection was not accepted.
    Unreachable,
    /// The TLS handshake failed.
    Insecure,
    /// The answer is not HTTP, or is too long.
    Garbled,
    /// The attempt timed out.
    TimedOut,
    /// An injected fault dropped the attempt.
    Dropped,
}

/// What happens to a notification after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The receiver accepted it.
    Delivered,
    /// The receiver refuses it and all later ones of the transaction.
    Gone,
    /// It is retried at this time.
    Retry(Timestamp),
    /// All attempts failed.
    Exhausted,
}

/// Decides what follows the reply to attempt number `attempt`, which ended at `now`.
///
/// A status between 200 and 299 accepts the notification and 410 ends it. After any other result,
/// also a redirect, it is retried.
pub fn judge(id: Uuid, attempt: u32, reply: &Reply, now: Timestamp) -> Verdict {
    let retry_after = match *reply {
        Reply::Answered {
            status: 200..=299, ..
        } => return Verdict::Delivered,
        Reply::Answered { status: 410, .. } => return Verdict::Gone,
        Reply::Answered { retry_after, .. } => retry_after,
        Reply::Failed(_) => None,
    };
    let Some(delay) = usize::try_from(attempt)
        .ok()
        .and_then(|attempt| DELAYS.get(attempt))
    else {
        return Verdict::Exhausted;
    };
    let asked = retry_after.unwrap_or_default().min(LONGEST);
    let wait = jittered(*delay, id, attempt).max(asked);
    // A time after the end of the calendar means that there is no further attempt.
    now.checked_add(wait)
        .map_or(Verdict::Exhausted, Verdict::Retry)
}

/// The delay, changed by up to a tenth; always the same for the same attempt of a notification.
fn jittered(delay: SignedDuration, id: Uuid, attempt: u32) -> SignedDuration {
    let spread = 2 * JITTER.unsigned_abs() + 1;
    let percentile = mix(id, attempt) % spread;
    let thousandths = 1000 - JITTER + i64::try_from(percentile).unwrap_or(JITTER);
    let milliseconds = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
    SignedDuration::from_millis(milliseconds.saturating_mul(thousandths) / 1000)
}

/// Pseudo-random bits that depend on an id and a number (the finalizer of `SplitMix64`).
fn mix(id: Uuid, attempt: u32) -> u64 {
    let (high, low) = id.as_u64_pair();
    let mut bits = high ^ low.rotate_left(32) ^ u64::from(attempt);
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Requested faults of delivery, each as a percentage of notifications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Sent a second time after the receiver accepted it.
    pub duplicated: u8,
    /// Held back so that the transaction's next notification overtakes it; affects every other one.
    pub reordered: u8,
    /// Not sent, although the attempt counts.
    pub dropped: u8,
}

/// How long a notification is held back so that the next one overtakes it.
pub const HELD_BACK: SignedDuration = SignedDuration::from_secs(2);

impl Faults {
    /// Whether this attempt is not sent.
    pub fn drop(self, id: Uuid, attempt: u32) -> bool {
        percentile(id, attempt, 1) < u64::from(self.dropped)
    }

    /// Whether an accepted notification is sent again; only after its first attempt.
    pub fn duplicate(self, id: Uuid, attempt: u32) -> bool {
        attempt == 1 && percentile(id, attempt, 2) < u64::from(self.duplicated)
    }

    /// Whether the first attempt is held back.
    pub fn hold_back(self, id: Uuid, sequence: i64) -> bool {
        sequence % 2 == 1 && percentile(id, 1, 3) < u64::from(self.reordered)
    }
}

/// A number below 100, always the same for one attempt and purpose.
fn percentile(id: Uuid, attempt: u32, purpose: u32) -> u64 {
    mix(id, attempt.wrapping_mul(4).wrapping_add(purpose)) % 100
}

impl Failure {
    /// Every failure.
    pub const ALL: [Self; 7] = [
        Self::Denied,
        Self::Unresolved,
        Self::Unreachable,
        Self::Insecure,
        Self::Garbled,
        Self::TimedOut,
        Self::Dropped,
    ];

    /// The stored and displayed word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Unresolved => "unresolved",
            Self::Unreachable => "unreachable",
            Self::Insecure => "insecure",
            Self::Garbled => "garbled",
            Self::TimedOut => "timed-out",
            Self::Dropped => "dropped",
        }
    }

    /// Parses the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|failure| failure.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn answered(status: u16) -> Reply {
        Reply::Answered {
            status,
            retry_after: None,
        }
    }

    fn answered_with_delay(status: u16, seconds: i64) -> Reply {
        Reply::Answered {
            status,
            retry_after: Some(SignedDuration::from_secs(seconds)),
        }
    }

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn wait(id: Uuid, attempt: u32, reply: &Reply) -> SignedDuration {
        match judge(id, attempt, reply, NOW) {
            Verdict::Retry(at) => at.duration_since(NOW),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn statuses_are_judged() {
        let id = Uuid::from_u128(7);
        for status in [200, 201, 204, 299] {
            let verdict = judge(id, 1, &answered(status), NOW);
            assert_eq!(verdict, Verdict::Delivered, "{status}");
        }
        assert_eq!(judge(id, 1, &answered(410), NOW), Verdict::Gone);
        for status in [199, 301, 302, 307, 400, 404, 409, 429, 500, 503] {
            let verdict = judge(id, 1, &answered(status), NOW);
            assert!(matches!(verdict, Verdict::Retry(_)), "{status}");
            let verdict = judge(id, ATTEMPTS, &answered(status), NOW);
            assert_eq!(verdict, Verdict::Exhausted, "{status}");
        }
        for failure in Failure::ALL {
            let verdict = judge(id, 1, &Reply::Failed(failure), NOW);
            assert!(matches!(verdict, Verdict::Retry(_)), "{failure:?}");
            assert_eq!(Failure::parse(failure.word()), Some(failure));
        }
    }

    #[test]
    fn faults_strike_at_the_requested_rate() {
        let struck = |percent, strikes: fn(Faults, Uuid) -> bool| {
            let faults = Faults {
                duplicated: percent,
                reordered: percent,
                dropped: percent,
            };
            let ids = (0..1000).map(Uuid::from_u128);
            ids.filter(|id| strikes(faults, *id)).count()
        };
        let faults: [fn(Faults, Uuid) -> bool; 3] = [
            |faults, id| faults.drop(id, 1),
            |faults, id| faults.duplicate(id, 1),
            |faults, id| faults.hold_back(id, 1),
        ];
        for strikes in faults {
            assert_eq!(struck(0, strikes), 0);
            assert_eq!(struck(100, strikes), 1000);
            assert!((400..600).contains(&struck(50, strikes)));
        }
        let all = Faults {
            duplicated: 100,
            reordered: 100,
            dropped: 100,
        };
        let id = Uuid::from_u128(7);
        assert!(!all.duplicate(id, 2), "or it would never end");
        assert!(!all.hold_back(id, 2), "or all would be as late as before");
    }

    #[test]
    fn different_changes_have_different_ids() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let later = NOW + SignedDuration::from_millis(1);
        let first = id(one, 1, "purchase.pending", NOW);
        assert_eq!(first, id(one, 1, "purchase.pending", NOW));
        for different in [
            id(other, 1, "purchase.pending", NOW),
            id(one, 2, "purchase.pending", NOW),
            id(one, 1, "purchase.accepted", NOW),
            id(one, 1, "purchase.pending", later),
        ] {
            assert_ne!(first, different);
        }
    }

    #[test]
    fn the_receiver_can_ask_for_more_time_but_not_for_less() {
        let id = Uuid::from_u128(7);
        let hour = SignedDuration::from_hours(1);
        assert_eq!(wait(id, 1, &answered_with_delay(429, 3600)), hour);
        assert_eq!(wait(id, 1, &answered_with_delay(503, i64::MAX)), LONGEST);
        let plain = wait(id, 3, &answered(503));
        assert_eq!(wait(id, 3, &answered_with_delay(503, 1)), plain);
        assert_eq!(wait(id, 3, &answered_with_delay(503, -1)), plain);
    }

    #[test]
    fn the_waits_differ_between_notifications() {
        let waits = (0..100).map(|id| wait(Uuid::from_u128(id), 2, &answered(500)));
        let distinct: std::collections::BTreeSet<_> = waits.collect();
        assert!(distinct.len() > 50, "{}", distinct.len());
    }

    proptest! {
        #[test]
        fn waits_stay_within_a_tenth_of_the_schedule(id: u128, attempt in 1..ATTEMPTS) {
            let id = Uuid::from_u128(id);
            let delay = DELAYS[attempt as usize].as_millis();
            let waited = wait(id, attempt, &answered(500)).as_millis();
            prop_assert!((waited - delay).abs() * 10 <= delay, "{waited} for {delay}");
            prop_assert_eq!(waited, wait(id, attempt, &Reply::Failed(Failure::TimedOut)).as_millis());
        }
    }
}
