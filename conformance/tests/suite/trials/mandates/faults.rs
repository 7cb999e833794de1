//! The faults of the creditor, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "mandates/mandates.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

/// What a collection needs to move.
const MOVING: &[&str] = &[
    "createMandate",
    "activateMandate",
    "createCollection",
    "getCollection",
    "moveCollection",
];

/// What a payout needs.
const PAYING: &[&str] = &[
    "createMandate",
    "activateMandate",
    "createCollection",
    "moveCollection",
    "createPayout",
    "getPayout",
];

/// What becomes of a mandate.
const SIGNING: &[&str] = &["createMandate", "getMandate", "activateMandate"];

const FAULTS: &[Row] = &[
    // States, and what is only reached through several of them.
    ("pays-failed", MOVING, "transition-forbidden"),
    ("payout-read-empty", PAYING, "read-differs"),
    // A version that is told twice.
    ("tag-behind", MOVING, "echo"),
    // Pages of a list that grows.
    (
        "cursor-as-offset",
        &[
            "createMandate",
            "activateMandate",
            "createCollection",
            "listCollections",
        ],
        "page-repeats",
    ),
    // Keys of requests.
    ("keys-in-any-case", SIGNING, "repeat-refused"),
    ("bytes-compared", SIGNING, "repeat-refused"),
    ("key-spent", SIGNING, "repeat-refused"),
    ("replay-of-now", SIGNING, "repeat-made-another"),
    // What the example does not name.
    ("metadata-of-before", SIGNING, "others-changed"),
    ("note-any-length", SIGNING, "constraint-ignored"),
    // The number of an answer.
    ("other-id-in-body", SIGNING, "echo"),
    ("one-request-id", SIGNING, "key-reused"),
];
