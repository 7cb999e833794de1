//! The faults of the laundry, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "laundry/laundry.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // A code that is made first, and used once.
    ("code-used-twice", &["joinMachine"], "key-reused"),
    (
        "code-of-another-site",
        &["joinMachine"],
        "foreign-parent-found",
    ),
    ("code-in-capitals", &["joinMachine"], "valid-refused"),
    (
        "total-of-page",
        &["listMachines", "joinMachine"],
        "total-differs",
    ),
    // What becomes of who takes part.
    (
        "machine-stays-busy",
        &["finishWash", "startWash", "getMachine"],
        "effect-differs",
    ),
    (
        "machine-stays-idle",
        &["startWash", "getMachine"],
        "effect-differs",
    ),
    ("due-when-finished", &["finishWash"], "effect-differs"),
    // What others have.
    ("name-in-capitals", &["addSite"], "key-reused"),
    (
        "name-stays-taken",
        &["deleteSite", "addSite"],
        "valid-refused",
    ),
    ("tags-kept", &["replaceSite"], "put-kept"),
    (
        "deleted-while-running",
        &["deleteSite", "addWash", "startWash"],
        "transition-forbidden",
    ),
    (
        "waiting-after-close",
        &["closeSite", "addWash", "getWash"],
        "effect-differs",
    ),
    // Lists.
    (
        "guest-as-written",
        &["listWashes", "addWash"],
        "filter-misses",
    ),
    (
        "minutes-of-page",
        &["listWashes", "addWash"],
        "total-differs",
    ),
    // Lengths, and what is rounded.
    ("label-in-bytes", &["joinMachine"], "valid-refused"),
    ("item-in-bytes", &["addWash"], "valid-refused"),
    ("fee-cut-off", &["addWash"], "sum-differs"),
];
