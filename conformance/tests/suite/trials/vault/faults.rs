//! The faults of the vault, each with the check that names it.

use super::{KEY, READER, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "vault/vault.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: Some(("authorization", READER)),
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // What is told once, when it is made, beside what is read.
    ("issued-otherwise", &["issueCard"], "read-differs"),
    // Steps of a record that its maker answers under another schema.
    ("woken-twice", &["wakeCard"], "transition-forbidden"),
    // What is unique within its owner.
    ("used-twice", &["issueCard"], "repeat-made-another"),
    ("unique-everywhere", &["issueCard"], "valid-refused"),
    // A step that makes a record of its own.
    ("collection-lost", &["collectEntry"], "read-differs"),
    // Two records have to be made ready for it.
    ("move-anything", &["moveBalance"], "constraint-ignored"),
    // A record is named without a word that says key.
    ("paid-otherwise", &["payOut"], "echo"),
    // An address that only its refusal tells to be unique.
    ("address-twice", &["addListener"], "repeat-made-another"),
    ("never-gone", &["removeListener"], "deleted-found"),
    // Whoever may only read.
    ("reader-wakes", &["wakeCard"], "credentials-ignored"),
    (
        "reader-is-refused-late",
        &["wakeCard"],
        "refusal-changed-state",
    ),
    // The mark of a repeat, and what becomes of the key of a refused request.
    ("unmarked", &["openEntry"], "header-missing"),
    ("key-used-up", &["openEntry"], "repeat-refused"),
    ("key-used-up-early", &["openEntry"], "repeat-refused"),
];
