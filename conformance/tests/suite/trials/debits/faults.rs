//! The faults of those debits, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "debits/debits.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: MISSED,
};

trial_tests!(TRIAL);

/// What becomes of a mandate.
const SIGNING: &[&str] = &[
    "signMandate",
    "getMandate",
    "changeMandate",
    "openCreditor",
    "getCreditor",
];

/// What a collection needs.
const COLLECTING: &[&str] = &[
    "openCreditor",
    "getCreditor",
    "signMandate",
    "getMandate",
    "changeMandate",
    "collect",
    "getCollection",
];

/// What a batch needs.
const BATCHING: &[&str] = &[
    "openCreditor",
    "getCreditor",
    "signMandate",
    "getMandate",
    "changeMandate",
    "collect",
    "getCollection",
    "submitBatch",
    "getBatch",
];

/// What comes back.
const RETURNING: &[&str] = &[
    "openCreditor",
    "getCreditor",
    "signMandate",
    "getMandate",
    "changeMandate",
    "collect",
    "getCollection",
    "submitBatch",
    "getBatch",
    "returnCollection",
];

/// What stands in the way of a creditor's end.
const CLOSING: &[&str] = &[
    "openCreditor",
    "getCreditor",
    "closeCreditor",
    "signMandate",
    "getMandate",
    "changeMandate",
    "collect",
    "getCollection",
];

const FAULTS: &[Row] = &[
    // What a patch may make of a status, and what needs it.
    ("revives-cancelled", SIGNING, "transition-forbidden"),
    ("stays-pending", SIGNING, "status-code"),
    ("collects-on-pending", COLLECTING, "transition-forbidden"),
    // What a batch may name.
    ("batches-foreign", BATCHING, "foreign-parent-found"),
    // What may come back, and why.
    ("returns-pending", RETURNING, "transition-forbidden"),
    ("returns-unlisted", RETURNING, "constraint-ignored"),
    // What stands in the way through a record between.
    ("deletes-collected", CLOSING, "transition-forbidden"),
    // What is taken in parts.
    (
        "captures-more",
        &["placeHold", "getHold", "captureHold"],
        "sum-exceeded",
    ),
];

/// What no law catches yet.
const MISSED: &[Row] = &[
    // The state of what a list in a body names is not led on before the call.
    ("batches-again", BATCHING, "transition-forbidden"),
];
