//! The faults of the garden, each with the check that names it.

use super::{KEY, NEIGHBOUR, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "garden/garden.yaml",
    header: ("authorization", KEY),
    neighbour: Some(("authorization", NEIGHBOUR)),
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // A replacement needs the current version.
    ("version-untold", &["putLease"], "version-ignored"),
    ("version-outdated", &["putLease"], "version-ignored"),
    ("version-of-nothing", &["putLease"], "version-ignored"),
    ("replaced-without-tag", &["putLease"], "header-missing"),
    // Fixed properties, and effects of their refusal.
    ("plot-moves", &["putLease"], "constraint-ignored"),
    ("name-stays-behind", &["putLease"], "refusal-changed-state"),
    // A repeated `PUT`.
    ("entered-again", &["putVisit"], "status-code"),
    ("entered-over", &["putVisit"], "key-reuse-granted"),
    ("entered-elsewhere", &["readVisit"], "foreign-parent-found"),
    // Conditions of values in sentences.
    ("note-missing", &["sendLetter"], "constraint-ignored"),
    ("note-too-much", &["sendLetter"], "constraint-ignored"),
    // Statements about every operation.
    ("one-mistake", &["putLease"], "field-missing"),
    ("no-such-method", &["readDues"], "status-code"),
    // Stored answers of idempotency keys, and their scope.
    ("answer-of-now", &["askDues"], "repeat-made-another"),
    ("keys-of-everywhere", &["askDues"], "repeat-refused"),
    ("keys-of-all", &["askDues"], "foreign-parent-found"),
    // The neighbour creates records with the same keys first.
    ("keys-of-all", &["giveReceipt"], "repeat-refused"),
    // The key of a refused request.
    ("key-spent", &["sendLetter"], "repeat-refused"),
];
