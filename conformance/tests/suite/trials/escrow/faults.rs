//! The faults of the escrow, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "escrow/escrow.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // Keys that only their form tells.
    ("any-buyer", &["drawUp"], "unknown-key-found"),
    // Items that have to differ.
    ("one-milestone-more", &["drawUp"], "constraint-ignored"),
    // A repeat that has a status of its own.
    ("paid-in-again", &["payIn"], "repeat-refused"),
    // What comes within a record.
    ("dispute-of-nobody", &["openDispute"], "echo"),
    (
        "resolved-twice",
        &["resolveDispute"],
        "transition-forbidden",
    ),
    // A number that rises with each change.
    ("version-stands", &["resolveDispute"], "effect-differs"),
    // A flag that one alone has.
    ("two-defaults", &["addAccount"], "effect-differs"),
    (
        "default-kept",
        &["addAccount", "preferAccount"],
        "effect-differs",
    ),
    // A list that has to be asked for something.
    ("page-again", &["listEntries", "payIn"], "page-repeats"),
    ("amount-as-text", &["listEntries", "payIn"], "schema-type"),
];
