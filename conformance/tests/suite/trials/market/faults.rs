//! The faults of the market, each with the check that names it.

use super::{KEY, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "market/market.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // A code with another status, and a code of another operation.
    ("too-large-conflicts", &["createCapture"], "status-code"),
    ("code-of-notes", &["cancelOrder"], "final-value"),
    // Values that come from other records.
    ("tracked-by-one", &["createShipment"], "effect-differs"),
    ("placed-elsewhere", &["createOrder"], "header-value"),
    ("one-currency", &["createSeller"], "effect-differs"),
    // Computed amounts.
    ("first-goods-only", &["createOrder"], "sum-differs"),
    ("shipped-free", &["createOrder"], "sum-differs"),
    ("tax-cut", &["createOrder"], "sum-differs"),
    // Captured and remaining amounts.
    ("captured-twice", &["createCapture"], "sum-exceeded"),
    ("capturable-as-before", &["createCapture"], "sum-differs"),
    ("captured-uncounted", &["createCapture"], "sum-differs"),
    ("final-goes-on", &["createCapture"], "sum-differs"),
    // Limits, unique events, and sums.
    ("notes-endless", &["createNote"], "sum-exceeded"),
    ("sku-twice", &["createOrder"], "constraint-ignored"),
    ("splits-fall-short", &["createPayout"], "constraint-ignored"),
    ("splits-go-beyond", &["createPayout"], "constraint-ignored"),
    ("sku-told-otherwise", &["createOrder"], "final-value"),
    ("splits-told-otherwise", &["createPayout"], "final-value"),
    // A value that the server always declines.
    ("never-declined", &["createCapture"], "constraint-ignored"),
    ("declined-as-invalid", &["createCapture"], "status-code"),
    (
        "declined-counts",
        &["createCapture"],
        "refusal-changed-state",
    ),
    // Changes of states, and final states.
    ("status-jumps", &["updateSeller"], "transition-forbidden"),
    (
        "refused-is-renamed",
        &["updateSeller"],
        "refusal-changed-state",
    ),
    (
        "captured-cancelled",
        &["cancelOrder", "createCapture"],
        "transition-forbidden",
    ),
    (
        "cancelled-captured",
        &["createCapture", "cancelOrder"],
        "transition-forbidden",
    ),
    // Deleted records within another record.
    (
        "note-stays",
        &["createNote", "deleteNote", "getOrder"],
        "deleted-listed",
    ),
    // Payouts of an existing active seller.
    ("fee-cut", &["createPayout"], "sum-differs"),
    // Filters and orders by a nested property.
    ("of-anybody", &["listOrders"], "filter-ignored"),
    ("email-as-written", &["listOrders"], "filter-misses"),
    ("unsorted", &["listOrders"], "order-ignored"),
    // Required headers, with and without a law for them.
    ("asked-for-uncounted", &["listOrders"], "header-missing"),
    ("challenge-untold", &["deleteNote"], "header-missing"),
    // Effects of a flag, and limits.
    ("captured-after-final", &["createCapture"], "sum-exceeded"),
    (
        "full-is-kept",
        &["createNote", "getOrder"],
        "refusal-changed-state",
    ),
    // Items of no order, and of another order.
    ("ships-anything", &["createShipment"], "unknown-key-found"),
    (
        "ships-of-others",
        &["createShipment"],
        "foreign-parent-found",
    ),
];
