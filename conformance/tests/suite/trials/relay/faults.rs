//! The faults of the relay, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "relay/relay.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

/// What is needed for all of them: what was made is called off again.
const ALL: &[&str] = &[
    "createEndpoint",
    "listEndpoints",
    "readEndpoint",
    "renameEndpoint",
    "removeEndpoint",
];

const FAULTS: &[Row] = &[
    // How many there may be, and how one more is refused.
    ("one-too-many", ALL, "sum-exceeded"),
    ("told-otherwise", ALL, "final-value"),
    // What is only found where others have left room.
    ("newest-unlisted", ALL, "list-misses"),
    ("rename-forgotten", ALL, "read-differs"),
    ("renames-all", ALL, "others-changed"),
    ("removes-another", ALL, "others-changed"),
];
