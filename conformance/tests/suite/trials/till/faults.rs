//! The faults of the till, each with the check that names it.

use super::{KEY, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "till/till.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    ("found-as-made", &["capture"], "read-differs"),
    // Descriptions of the balance and of the operations that change it.
    ("captured-unbooked", &["capture"], "balance-unmoved"),
    ("captured-whole", &["capture"], "balance-unmoved"),
    ("one-currency", &["capture"], "balance-unmoved"),
    ("overdrawn", &["payOut"], "sum-exceeded"),
    ("refused-taken", &["payOut"], "refusal-changed-state"),
    ("paid-out-untaken", &["payOut"], "balance-unmoved"),
    ("race-payouts", &["payOut"], "sum-exceeded"),
    // Changes over time.
    ("never-expires", &["charge"], "step-undone"),
    (
        "captures-expired",
        &["charge", "capture"],
        "transition-forbidden",
    ),
    ("lasts-a-day", &["charge"], "time-astray"),
    ("never-paid", &["payOut"], "until-deadline"),
    ("paid-untimed", &["payOut"], "final-value"),
    // Sums in descriptions.
    (
        "paid-out-available",
        &["payOut", "readBalance"],
        "sum-differs",
    ),
    ("nothing-released", &["capture"], "sum-differs"),
    ("beginning-found", &["findCharge"], "unknown-key-found"),
    ("single-precision", &["charge"], "echo"),
    // Unique values that a refusal shows.
    ("reference-again", &["charge"], "key-reused"),
    ("reference-overwrites", &["charge"], "refusal-changed-state"),
    ("note-untold", &["charge"], "field-missing"),
    // An optional property that no example has.
    ("guest-uncounted", &["charge"], "effect-differs"),
    ("captured-counted-open", &["capture"], "effect-differs"),
    ("guest-unkept", &["charge"], "echo"),
    ("guest-of-nowhere", &["charge"], "unknown-key-found"),
    (
        "guest-forgotten",
        &["forgetGuest", "charge"],
        "transition-forbidden",
    ),
    // Letter case, and keys with a prefix.
    ("nick-as-sent", &["addGuest"], "effect-differs"),
    ("nick-in-capitals", &["addGuest"], "key-reused"),
    ("key-begun", &["readGuest"], "credentials-ignored"),
];
