//! The faults of the acquirer, each with the check that names it.

use super::{KEY, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "acquirer/acquirer.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    ("amount-in-major", &["createPayment"], "echo"),
    ("currency-swapped", &["createPayment"], "echo"),
    ("read-uncaptured", &["capturePayment"], "read-differs"),
    ("any-currency", &["capturePayment"], "rejection-expected"),
    // Captured, counted and remaining amounts.
    ("capture-too-much", &["capturePayment"], "sum-exceeded"),
    ("capture-all-takes-half", &["capturePayment"], "sum-differs"),
    ("capture-uncounted", &["capturePayment"], "sum-differs"),
    ("capture-counts-all", &["capturePayment"], "sum-differs"),
    (
        "capture-counts-one-more",
        &["capturePayment"],
        "sum-differs",
    ),
    (
        "capture-lowers-amount",
        &["capturePayment"],
        "patch-changed-more",
    ),
    ("refund-too-much", &["refundPayment"], "sum-exceeded"),
    ("refund-each-up-to-all", &["refundPayment"], "sum-exceeded"),
    ("refund-of-authorised", &["refundPayment"], "sum-exceeded"),
    ("refund-all-takes-one", &["refundPayment"], "sum-differs"),
    ("refund-uncounted", &["refundPayment"], "sum-differs"),
    ("refund-counts-last", &["refundPayment"], "sum-differs"),
    (
        "refund-lowers-captured",
        &["refundPayment"],
        "patch-changed-more",
    ),
    ("refund-part-is-all", &["refundPayment"], "step-undone"),
    ("refund-rest-is-part", &["refundPayment"], "step-undone"),
    ("refund-tells-all", &["refundPayment"], "echo"),
    ("refund-in-other-currency", &["refundPayment"], "echo"),
    ("race-refunds", &["refundPayment"], "sum-exceeded"),
    // A balance of each currency.
    ("capture-unbooked", &["capturePayment"], "balance-unmoved"),
    ("capture-books-all", &["capturePayment"], "balance-unmoved"),
    (
        "capture-books-euros",
        &["capturePayment"],
        "balance-unmoved",
    ),
    ("payout-overdraws", &["createPayout"], "sum-exceeded"),
    ("payout-untaken", &["createPayout"], "balance-unmoved"),
    // Steps in states that forbid them, and their side effects.
    (
        "capture-after-cancel",
        &["capturePayment", "cancelPayment"],
        "transition-forbidden",
    ),
    ("capture-again", &["capturePayment"], "transition-forbidden"),
    (
        "cancel-after-capture",
        &["cancelPayment", "capturePayment"],
        "transition-forbidden",
    ),
    ("cancel-twice", &["cancelPayment"], "transition-forbidden"),
    (
        "refund-before-capture",
        &["refundPayment", "capturePayment"],
        "sum-exceeded",
    ),
    (
        "cancel-zeroes-amount",
        &["cancelPayment"],
        "patch-changed-more",
    ),
    (
        "cancel-drops-labels",
        &["cancelPayment"],
        "patch-changed-more",
    ),
    (
        "cancel-forgets-description",
        &["cancelPayment"],
        "patch-changed-more",
    ),
    ("cancel-untimed", &["cancelPayment"], "effect-differs"),
    (
        "capture-forgets-labels",
        &["capturePayment"],
        "patch-changed-more",
    ),
    // Idempotency keys.
    (
        "key-ignored-by-payments",
        &["createPayment"],
        "repeat-made-another",
    ),
    (
        "key-ignored-by-capture",
        &["capturePayment"],
        "repeat-refused",
    ),
    (
        "key-ignored-by-refunds",
        &["refundPayment"],
        "repeat-made-another",
    ),
    ("key-of-anything", &["createPayment"], "key-reuse-granted"),
    (
        "key-of-anything",
        &["capturePayment"],
        "foreign-parent-found",
    ),
    // Lists.
    ("list-currency-ignored", &["listPayments"], "filter-ignored"),
    ("list-status-ignored", &["listPayments"], "filter-ignored"),
    ("list-either", &["listPayments"], "filter-ignored"),
    (
        "list-of-made",
        &["listPayments", "capturePayment"],
        "filter-ignored",
    ),
    ("list-oldest-first", &["listPayments"], "order-ignored"),
    (
        "list-filtered-late",
        &["listPayments", "capturePayment"],
        "page-misses",
    ),
    ("list-repeats", &["listPayments"], "page-repeats"),
    ("list-promises", &["listPayments"], "more-promised"),
    ("list-ends-early", &["listPayments"], "page-misses"),
    // Changes.
    ("change-keeps-null", &["changePayment"], "echo"),
    (
        "change-clears-description",
        &["changePayment"],
        "patch-changed-more",
    ),
    ("change-merges-labels", &["changePayment"], "echo"),
    (
        "change-clears-labels",
        &["changePayment"],
        "patch-changed-more",
    ),
    (
        "change-resets-status",
        &["changePayment", "capturePayment"],
        "patch-changed-more",
    ),
    ("change-forgotten", &["changePayment"], "patch-changed-more"),
    // Events.
    (
        "capture-untold",
        &["listEvents", "capturePayment"],
        "event-astray",
    ),
    (
        "refund-told-twice",
        &["listEvents", "refundPayment"],
        "event-astray",
    ),
    (
        "cancel-told-as-capture",
        &["listEvents", "cancelPayment"],
        "event-astray",
    ),
    ("events-of-all", &["listEvents"], "foreign-parent-found"),
    (
        "events-newest-first",
        &["listEvents", "capturePayment"],
        "order-ignored",
    ),
];
