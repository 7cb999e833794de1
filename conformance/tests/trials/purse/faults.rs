//! The faults of the purse, each with the check that names it.

use super::{KEY, Store};
use crate::desk;
use crate::trial::{Row, Trial};

const TRIAL: Trial = Trial {
    document: "purse/purse.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

/// What a payment needs, and what is done with it.
const PAYING: &[&str] = &[
    "addCustomer",
    "saveCard",
    "createPayment",
    "getPayment",
    "capturePayment",
    "voidPayment",
    "refundPayment",
];

/// What becomes of a customer.
const REMOVING: &[&str] = &[
    "addCustomer",
    "getCustomer",
    "deleteCustomer",
    "saveCard",
    "getCard",
    "createPayment",
    "getPayment",
    "capturePayment",
];

/// What is told of the balance.
const BOOKING: &[&str] = &[
    "createPayment",
    "getPayment",
    "capturePayment",
    "refundPayment",
    "listBalanceEntries",
];

const FAULTS: &[Row] = &[
    // What the amounts of a payment come to.
    ("void-unreleased", PAYING, "sum-differs"),
    // States that a step leads from, and to.
    ("part-refunded", PAYING, "transition-forbidden"),
    ("part-voided", PAYING, "step-undone"),
    // How many there may be, and of what only one.
    (
        "fourth-card",
        &["addCustomer", "getCustomer", "saveCard"],
        "sum-exceeded",
    ),
    (
        "number-twice",
        &["addCustomer", "getCustomer", "saveCard"],
        "key-reused",
    ),
    // What is deleted together with a customer, and what is in its way.
    ("cards-stay", REMOVING, "deleted-found"),
    ("removes-authorised", REMOVING, "transition-forbidden"),
    (
        "removes-partially-captured",
        REMOVING,
        "transition-forbidden",
    ),
    // What a step leaves in a list, and what that adds up to.
    ("capture-unlisted", BOOKING, "event-astray"),
    ("balance-without-fee", BOOKING, "sum-differs"),
    // What a text refuses.
    ("expired-saved", &["saveCard"], "constraint-ignored"),
    ("small-paid", &["createPayment"], "constraint-ignored"),
    (
        "empty-pays",
        &["saveCard", "createPayment"],
        "constraint-ignored",
    ),
    // The code that an example shows.
    ("malformed-as-invalid", &["addCustomer"], "final-value"),
    // What is that of another record.
    (
        "always-visa",
        &["saveCard", "createPayment"],
        "child-differs",
    ),
    // A header that is another one in each answer.
    ("request-id-twice", &["addCustomer"], "key-reused"),
];
