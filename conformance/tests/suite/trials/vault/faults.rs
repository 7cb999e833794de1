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
    // A value that only the creation shows.
    ("issued-otherwise", &["issueCard"], "read-differs"),
    // Steps of a record that its creator answers with another schema.
    ("woken-twice", &["wakeCard"], "transition-forbidden"),
    // Values that are unique within their owner.
    ("used-twice", &["issueCard"], "repeat-made-another"),
    ("unique-everywhere", &["issueCard"], "valid-refused"),
    // A step that creates a record.
    ("collection-lost", &["collectEntry"], "read-differs"),
    // An operation that needs two prepared records.
    ("move-anything", &["moveBalance"], "constraint-ignored"),
    // A reference whose name does not end like a key.
    ("paid-otherwise", &["payOut"], "echo"),
    // An address that only a refusal shows to be unique.
    ("address-twice", &["addListener"], "repeat-made-another"),
    ("never-gone", &["removeListener"], "deleted-found"),
    // A client that may only read.
    ("reader-wakes", &["wakeCard"], "credentials-ignored"),
    (
        "reader-is-refused-late",
        &["wakeCard"],
        "refusal-changed-state",
    ),
    // The header of a repeat, and the key of a refused request.
    ("unmarked", &["openEntry"], "header-missing"),
    ("key-used-up", &["openEntry"], "repeat-refused"),
    ("key-used-up-early", &["openEntry"], "repeat-refused"),
];
