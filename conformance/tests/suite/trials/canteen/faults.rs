//! The faults of the canteen, each with the check that names it.

use super::{KEY, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "canteen/canteen.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

/// The steps that share an address.
const STEPS: &[&str] = &["turnCard-activate", "turnCard-lock", "turnCard-unlock"];

/// Operations that move money between cards.
const MOVING: &[&str] = &[
    "moveMoney",
    "getCard",
    "listTransfers",
    "turnCard-lock",
    "turnCard-activate",
];

const FAULTS: &[Row] = &[
    // Steps that share an address.
    ("activate-locked", STEPS, "transition-forbidden"),
    ("unlock-issued", STEPS, "transition-forbidden"),
    ("activated-anew", STEPS, "patch-changed-more"),
    // Rules for bodies.
    ("any-currency", &["loadCard"], "rejection-expected"),
    ("load-beyond", &["loadCard"], "constraint-ignored"),
    ("reference-of-all", &["loadCard"], "valid-refused"),
    ("reference-again", &["loadCard"], "key-reused"),
    ("balance-before", &["loadCard"], "balance-unmoved"),
    (
        "stale-in-list",
        &["loadCard", "listCards"],
        "list-item-differs",
    ),
    // Withdrawals from a balance.
    ("race-redemptions", &["redeem"], "sum-exceeded"),
    ("cents-lost", &["redeem"], "echo"),
    // Effects of a refused request.
    ("half-moved", MOVING, "refusal-changed-state"),
    ("refused-listed", MOVING, "refusal-changed-state"),
    // Deleted records do not count.
    (
        "guests-stay",
        &["disinviteGuest", "getCard"],
        "total-differs",
    ),
    // Values that are computed from all records.
    ("takings-forget", &["getTakings", "redeem"], "sum-differs"),
    // A documented maximum.
    ("one-guest-more", &["inviteGuest"], "sum-exceeded"),
    // Lists and their parameters.
    ("oldest-first", &["listCards", "issueCard"], "order-ignored"),
    ("any-dish", &["listRedemptions", "redeem"], "filter-ignored"),
    // Near misses.
    ("currency-of-tests", &["issueCard"], "constraint-ignored"),
    ("any-scheme", &["getCard"], "credentials-ignored"),
];
