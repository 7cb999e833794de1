//! The faults of the depot, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "depot/depot.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // A flag that compares two numbers.
    (
        "low-at-level",
        &["createItem", "getItem", "createMovement"],
        "effect-differs",
    ),
    // The most that there may be, as it is set and as it is reached.
    ("ceiling-lowered", &["updateItem"], "constraint-ignored"),
    ("ceiling-of-one", &["createMovement"], "constraint-ignored"),
    (
        "refused-counts",
        &["createMovement"],
        "refusal-changed-state",
    ),
    // What one kind of movement needs, and is told as.
    ("reason-missing", &["createMovement"], "constraint-ignored"),
    ("written-off-otherwise", &["createMovement"], "schema-enum"),
    // A repeat that is answered as the first request was.
    ("counted-again", &["createMovement"], "repeat-done-again"),
    // What a deletion gives back.
    ("hold-kept", &["deleteHold"], "balance-unmoved"),
    // What is unique, for ever or while it is there.
    (
        "sku-free-again",
        &["createItem", "retireItem"],
        "key-reused",
    ),
    ("order-held-twice", &["createHold"], "repeat-made-another"),
    // What the document promises of every path, and of cursors.
    ("unknown-has-head", &["getItem"], "head-differs"),
    ("cursor-for-any", &["listItems"], "constraint-ignored"),
    // A change of another version.
    ("stale-stirs", &["updateItem"], "refusal-changed-state"),
];
