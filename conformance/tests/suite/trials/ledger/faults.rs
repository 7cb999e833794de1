//! The faults of the ledger, each with the check that names it.

use super::{KEY, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "ledger/ledger.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    ("code-again", &["open_account"], "repeat-made-another"),
    // A key that another operation used.
    ("key-elsewhere", &["create_refund"], "key-reuse-granted"),
    (
        "refused-credits",
        &["create_transfer"],
        "refusal-changed-state",
    ),
    ("too-much", &["create_transfer"], "status-code"),
    ("code-NOT_FOUND", &["get_account"], "final-value"),
    ("code-UNKNOWN_CALLER", &["get_account"], "final-value"),
    ("code-WRONG_STATE", &["cancel_transfer"], "final-value"),
    ("code-NOT_ENOUGH", &["create_transfer"], "final-value"),
    ("settle-again", &["settle_transfer"], "transition-forbidden"),
    (
        "frozen-pays",
        &["create_transfer", "freeze_account"],
        "transition-forbidden",
    ),
    ("sort-ignored", &["list_transfers"], "order-ignored"),
    ("sort-one-way", &["list_transfers"], "order-ignored"),
    ("sort-as-text", &["list_transfers"], "order-ignored"),
    ("ties-turned", &["list_transfers"], "page-repeats"),
    ("limit-each", &["create_transfer"], "sum-exceeded"),
    ("settle-twice", &["settle_transfer"], "transition-forbidden"),
    (
        "settle-cancelled",
        &["settle_transfer", "cancel_transfer", "reject_transfer"],
        "transition-forbidden",
    ),
    (
        "settle-rejected",
        &["settle_transfer", "cancel_transfer", "reject_transfer"],
        "transition-forbidden",
    ),
    (
        "frozen-is-paid",
        &["create_transfer", "freeze_account"],
        "transition-forbidden",
    ),
    ("total-of-one", &["create_refund"], "sum-differs"),
    ("last-refund-only", &["create_refund"], "list-misses"),
    ("key-optional", &["create_transfer"], "constraint-ignored"),
    (
        "key-of-any-length",
        &["create_transfer"],
        "constraint-ignored",
    ),
    ("challenge-other", &["get_account"], "header-value"),
    ("list-old", &["settle_transfer"], "list-item-differs"),
    ("offset-untold", &["list_transfers"], "total-differs"),
    ("end-too-early", &["list_transfers"], "total-differs"),
    ("short-pages", &["list_transfers"], "page-misses"),
    ("beyond", &["create_refund"], "sum-exceeded"),
    ("closed-at-once", &["open_account"], "effect-differs"),
    ("limit-forgotten", &["freeze_account"], "patch-changed-more"),
    (
        "close-frozen",
        &["freeze_account", "close_account"],
        "transition-forbidden",
    ),
    ("race-close", &["freeze_account"], "race-won-twice"),
    (
        "limit-overwritten",
        &["open_account"],
        "refusal-changed-state",
    ),
    ("labels-unlimited", &["open_account"], "constraint-ignored"),
    ("first-status-only", &["list_accounts"], "filter-misses"),
];
