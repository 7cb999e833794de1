//! The faults of the studio, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "studio/studio.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

const BILLS: &[&str] = &["getClient", "draftBill", "sendBill", "voidBill"];

const FAULTS: &[Row] = &[
    // What stands in an envelope.
    ("note-lost", &["draftBill"], "field-missing"),
    ("overpaid", &["payBill"], "sum-exceeded"),
    // Texts without the spaces around them.
    ("name-untrimmed", &["addClient"], "effect-differs"),
    // Defaults of items.
    ("tax-left-out", &["draftBill"], "default-differs"),
    // Sums and numbers of records in some states.
    ("balance-keeps-void", BILLS, "sum-differs"),
    ("draft-is-unpaid", BILLS, "sum-differs"),
    (
        "statement-has-void",
        &["getStatement", "draftBill", "sendBill", "voidBill"],
        "sum-differs",
    ),
    // A deletion that some states are in the way of, and that takes others with it.
    (
        "deleted-with-sent",
        &["deleteClient", "draftBill", "sendBill"],
        "transition-forbidden",
    ),
    (
        "drafts-survive",
        &["deleteClient", "draftBill", "getBill"],
        "deleted-found",
    ),
    // A record with nothing in it.
    ("sent-for-nothing", &["sendBill"], "transition-forbidden"),
    // What is kept.
    (
        "number-lost",
        &["sendBill", "voidBill"],
        "patch-changed-more",
    ),
    // How often.
    ("reminded-thrice", &["remindBill"], "transition-forbidden"),
    // How those that are alike stand.
    ("ties-newest", &["listBills", "draftBill"], "order-ignored"),
];
