//! A till, whose balance is nobody's record: what is told of it in words alone. Nothing is found in it as it is,
//! and each of its faults by the check that names it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on stops"
)]

#[path = "support/desk.rs"]
mod desk;
mod support;
#[path = "support/till/mod.rs"]
mod till;
#[path = "support/trial.rs"]
mod trial;

use trial::{Row, Trial};

const TRIAL: Trial = Trial {
    document: "till/till.yaml",
    header: ("authorization", till::KEY),
    open: |fault| Box::pin(till::open(fault)),
};

#[tokio::test]
async fn nothing_is_found_in_the_untouched_till() {
    TRIAL.assert_nothing_is_found().await;
}

#[tokio::test]
async fn each_fault_is_caught_by_the_check_that_names_it() {
    TRIAL.assert_caught(FAULTS).await;
}

const FAULTS: &[Row] = &[
    ("found-as-made", &["capture"], "read-differs"),
    // What the words of the balance and of who adds to it say.
    ("captured-unbooked", &["capture"], "balance-unmoved"),
    ("captured-whole", &["capture"], "balance-unmoved"),
    ("one-currency", &["capture"], "balance-unmoved"),
    ("overdrawn", &["payOut"], "sum-exceeded"),
    ("refused-taken", &["payOut"], "refusal-changed-state"),
    ("paid-out-untaken", &["payOut"], "balance-unmoved"),
    ("race-payouts", &["payOut"], "sum-exceeded"),
    // What time does by itself.
    ("never-expires", &["charge"], "step-undone"),
    (
        "captures-expired",
        &["charge", "capture"],
        "transition-forbidden",
    ),
    ("lasts-a-day", &["charge"], "time-astray"),
    ("never-paid", &["payOut"], "until-deadline"),
    ("paid-untimed", &["payOut"], "final-value"),
    // Sums that descriptions tell of.
    (
        "paid-out-available",
        &["payOut", "readBalance"],
        "sum-differs",
    ),
    ("nothing-released", &["capture"], "sum-differs"),
    ("beginning-found", &["findCharge"], "unknown-key-found"),
    ("single-precision", &["charge"], "echo"),
    // What a refusal says has to be unique.
    ("reference-again", &["charge"], "key-reused"),
    ("reference-overwrites", &["charge"], "refusal-changed-state"),
    ("note-untold", &["charge"], "field-missing"),
];
