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
    // Who replaces tells the version that is there.
    ("version-untold", &["putLease"], "version-ignored"),
    ("version-outdated", &["putLease"], "version-ignored"),
    ("version-of-nothing", &["putLease"], "version-ignored"),
    ("replaced-without-tag", &["putLease"], "header-missing"),
    // What cannot be changed, and what a refusal for it leaves.
    ("plot-moves", &["putLease"], "constraint-ignored"),
    ("name-stays-behind", &["putLease"], "refusal-changed-state"),
    // What is put again.
    ("entered-again", &["putVisit"], "status-code"),
    ("entered-over", &["putVisit"], "key-reuse-granted"),
    ("entered-elsewhere", &["readVisit"], "foreign-parent-found"),
    // What a sentence requires of a value, or bars from it.
    ("note-missing", &["sendLetter"], "constraint-ignored"),
    ("note-too-much", &["sendLetter"], "constraint-ignored"),
    // What is said of every operation.
    ("one-mistake", &["putLease"], "field-missing"),
    ("no-such-method", &["readDues"], "status-code"),
    // What is stored under the key of a request, and whose it is.
    ("answer-of-now", &["askDues"], "repeat-made-another"),
    ("keys-of-everywhere", &["askDues"], "repeat-refused"),
    ("keys-of-all", &["askDues"], "foreign-parent-found"),
    // The neighbour makes what a request names before it is sent.
    ("keys-of-all", &["giveReceipt"], "repeat-refused"),
    // What becomes of the key of a request that is refused for one of its values.
    ("key-spent", &["sendLetter"], "repeat-refused"),
];
