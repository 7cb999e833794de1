//! The faults of the seats, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "seats/seats.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // A state that a change sets bars what names the record: by the refusal, and by the text of the change.
    (
        "archived-takes",
        &["subscribe", "changePlan"],
        "transition-forbidden",
    ),
    (
        "paused-takes",
        &["subscribe", "changePlan"],
        "transition-forbidden",
    ),
    // It is granted again when the state is set back.
    (
        "paused-for-good",
        &["subscribe", "changePlan"],
        "valid-refused",
    ),
    // What is made under it, and its own steps.
    (
        "held-is-billed",
        &["bill", "changeSubscription"],
        "transition-forbidden",
    ),
    (
        "held-is-renewed",
        &["renew", "changeSubscription"],
        "transition-forbidden",
    ),
    // What is changed no more.
    ("archived-changes", &["changePlan"], "transition-forbidden"),
    // What is deleted together with its plan.
    (
        "subscriptions-stay",
        &["removePlan", "subscribe", "readSubscription"],
        "deleted-found",
    ),
    // A change that is answered and not kept.
    (
        "price-not-kept",
        &["changePlan", "readPlan"],
        "read-differs",
    ),
    // A key that nobody has, refused with a status that is not documented.
    ("unknown-plan-404", &["subscribe"], "undeclared-status"),
    // Blanks that are said to be removed.
    ("name-with-blanks", &["addPlan"], "echo"),
    // A number beyond its bound, where nothing else is told.
    ("price-without-bound", &["changePlan"], "constraint-ignored"),
];
