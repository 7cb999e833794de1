//! The faults of the gazette, each with the check that names it.

use super::{KEY, Store};
use crate::desk;
use crate::trial::{Row, Trial};

const TRIAL: Trial = Trial {
    document: "gazette/gazette.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

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
    (
        "pay-void",
        &["payInvoice", "cancelSubscription"],
        "transition-forbidden",
    ),
    // A flag of what is named, and what is named by a code.
    ("any-plan", &["createSubscription"], "transition-forbidden"),
    ("any-coupon", &["createSubscription"], "unknown-key-found"),
    ("no-discount", &["createSubscription"], "sum-differs"),
    ("discount-of-ten", &["createSubscription"], "sum-differs"),
    ("discount-cut", &["createSubscription"], "sum-differs"),
    // An order that a number tells.
    ("oldest-first", &["listInvoices"], "order-ignored"),
];
