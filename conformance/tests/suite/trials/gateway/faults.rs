//! The faults of the gateway, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "gateway/gateway.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

/// What cards are stored, listed and deleted with.
const CARDS: &[&str] = &[
    "createCustomer",
    "readCustomer",
    "deleteCustomer",
    "storeCard",
    "listCards",
    "deleteCard",
];

/// And what is paid with them.
const PAID: &[&str] = &[
    "createCustomer",
    "deleteCustomer",
    "storeCard",
    "listCards",
    "deleteCard",
    "authorise",
    "readPayment",
];

/// What is reserved, captured and cancelled.
const PAYMENTS: &[&str] = &["authorise", "readPayment", "capture", "cancel"];

const FAULTS: &[Row] = &[
    // What is declined leaves what it was for, tells its own code, and is kept.
    ("declined-counted", &["payLink"], "refusal-changed-state"),
    ("one-code", &["authorise"], "final-value"),
    ("declined-again", &["authorise"], "repeat-made-another"),
    // Of which a part has been captured.
    ("part-cancelled", PAYMENTS, "transition-forbidden"),
    // The one default.
    ("two-defaults", CARDS, "effect-differs"),
    ("oldest-default", CARDS, "effect-differs"),
    // What goes with what is deleted, and what stays.
    ("cards-stay", CARDS, "deleted-found"),
    ("details-lost", PAID, "others-changed"),
];
