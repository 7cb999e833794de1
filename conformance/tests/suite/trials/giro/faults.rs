//! The faults of the bank, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "giro/giro.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

/// What a transfer needs.
const SENDING: &[&str] = &[
    "openAccount",
    "getAccount",
    "addPayee",
    "getPayee",
    "sendTransfer",
    "getTransfer",
    "cancelTransfer",
];

/// What stands in the way of a payee's removal.
const REMOVING: &[&str] = &[
    "openAccount",
    "getAccount",
    "addPayee",
    "getPayee",
    "removePayee",
    "saveOrder",
    "getOrder",
    "activateOrder",
    "sendTransfer",
    "getTransfer",
    "cancelTransfer",
];

/// What is due, and what may be written once nothing is.
const PAYING: &[&str] = &[
    "makeBill",
    "listBills",
    "getBill",
    "payBill",
    "writeReceiptNote",
];

const FAULTS: &[Row] = &[
    // What has to be nothing before a step.
    (
        "closes-with-balance",
        &["openAccount", "getAccount", "closeAccount"],
        "transition-forbidden",
    ),
    // What stands in the way in one state only: as it is made, or after a step.
    ("removes-awaited", REMOVING, "transition-forbidden"),
    ("removes-ordered", REMOVING, "transition-forbidden"),
    // What is taken from a balance where a text says so.
    ("sends-more", SENDING, "sum-exceeded"),
    ("sends-for-nothing", SENDING, "balance-unmoved"),
    ("keeps-cancelled", SENDING, "balance-unmoved"),
    // What a record comes to when nothing is due any more, and what takes that.
    ("stays-open", PAYING, "effect-differs"),
    ("paid-early", PAYING, "effect-differs"),
    ("receipts-open", PAYING, "transition-forbidden"),
    // What was so before is no change.
    (
        "counts-nothing",
        &["addPayee", "getPayee", "renamePayee"],
        "patch-changed-more",
    ),
];
