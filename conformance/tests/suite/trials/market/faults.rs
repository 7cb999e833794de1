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
    // A code with another status, and one of another operation.
    ("too-large-conflicts", &["createCapture"], "status-code"),
    ("code-of-notes", &["cancelOrder"], "final-value"),
    // What is written of others, and what goes with others.
    ("tracked-by-one", &["createShipment"], "effect-differs"),
    ("placed-elsewhere", &["createOrder"], "header-value"),
    ("one-currency", &["createSeller"], "effect-differs"),
    // Arithmetic of texts.
    ("first-goods-only", &["createOrder"], "sum-differs"),
    ("shipped-free", &["createOrder"], "sum-differs"),
    ("tax-cut", &["createOrder"], "sum-differs"),
    // What can be captured, and what is left of it.
    ("captured-twice", &["createCapture"], "sum-exceeded"),
    ("capturable-as-before", &["createCapture"], "sum-differs"),
    ("captured-uncounted", &["createCapture"], "sum-differs"),
    ("final-goes-on", &["createCapture"], "sum-differs"),
    // How many there may be, what is told once, and what adds up.
    ("notes-endless", &["createNote"], "sum-exceeded"),
    ("sku-twice", &["createOrder"], "constraint-ignored"),
    ("splits-fall-short", &["createPayout"], "constraint-ignored"),
    ("splits-go-beyond", &["createPayout"], "constraint-ignored"),
    ("sku-told-otherwise", &["createOrder"], "final-value"),
    ("splits-told-otherwise", &["createPayout"], "final-value"),
    // A value that is always declined.
    ("never-declined", &["createCapture"], "constraint-ignored"),
    ("declined-as-invalid", &["createCapture"], "status-code"),
    (
        "declined-counts",
        &["createCapture"],
        "refusal-changed-state",
    ),
    // States that are set, and steps after which there is none.
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
    // What was deleted, in the record that it stood under.
    (
        "note-stays",
        &["createNote", "deleteNote", "getOrder"],
        "deleted-listed",
    ),
    // What only a seller who stands there already is paid.
    ("fee-cut", &["createPayout"], "sum-differs"),
    // A property of an object within is asked for, and sorted by.
    ("of-anybody", &["listOrders"], "filter-ignored"),
    ("email-as-written", &["listOrders"], "filter-misses"),
    ("unsorted", &["listOrders"], "order-ignored"),
    // A header that answers have to have, where no law looks for it, and where one does.
    ("asked-for-uncounted", &["listOrders"], "header-missing"),
    ("challenge-untold", &["deleteNote"], "header-missing"),
    // What a flag has left nothing of, and what is one too many.
    ("captured-after-final", &["createCapture"], "sum-exceeded"),
    (
        "full-is-kept",
        &["createNote", "getOrder"],
        "refusal-changed-state",
    ),
    // Items of nowhere, and of another order.
    ("ships-anything", &["createShipment"], "unknown-key-found"),
    (
        "ships-of-others",
        &["createShipment"],
        "foreign-parent-found",
    ),
];
