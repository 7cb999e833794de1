//! The faults of the gazette, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "gazette/gazette.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: MISSED,
};

trial_tests!(TRIAL);

/// What no law catches yet, and what would have to be known.
const MISSED: &[Row] = &[
    // That a record is brought to a state by a step on what it came with.
    (
        "pay-void",
        &["payInvoice", "cancelSubscription"],
        "transition-forbidden",
    ),
    // That a share is told by another record, which a code names.
    (
        "no-discount",
        &["createSubscription", "getInvoice"],
        "sum-differs",
    ),
    (
        "discount-of-ten",
        &["createSubscription", "getInvoice"],
        "sum-differs",
    ),
    (
        "discount-cut",
        &["createSubscription", "getInvoice"],
        "sum-differs",
    ),
];

const FAULTS: &[Row] = &[
    // Steps and changes in the state that the record is made in.
    (
        "pause-pending",
        &["pauseSubscription"],
        "transition-forbidden",
    ),
    (
        "resume-pending",
        &["resumeSubscription"],
        "transition-forbidden",
    ),
    (
        "change-pending",
        &["updateSubscription"],
        "transition-forbidden",
    ),
    // What comes with another record.
    ("pay-anything", &["payInvoice"], "constraint-ignored"),
    (
        "cancel-leaves-open",
        &["cancelSubscription"],
        "effect-differs",
    ),
    // What is named has a flag, or is named by a code.
    ("any-plan", &["createSubscription"], "transition-forbidden"),
    ("any-coupon", &["createSubscription"], "unknown-key-found"),
    // A key of which nothing shows how it looks.
    (
        "key-forgotten",
        &["createSubscription"],
        "repeat-made-another",
    ),
    (
        "key-of-any-body",
        &["createSubscription"],
        "key-reuse-granted",
    ),
    // An order that a number tells.
    (
        "oldest-first",
        &["listInvoices", "createSubscription"],
        "order-ignored",
    ),
];
