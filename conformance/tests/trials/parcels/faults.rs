//! The faults of the parcels, each with the check that names it.

use super::{STAFF, Store};
use crate::desk;
use crate::trial::{Row, Trial};

const TRIAL: Trial = Trial {
    document: "parcels/parcels.yaml",
    header: ("authorization", STAFF),
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // What the document promises of every path.
    ("headless", &["listParcels"], "head-differs"),
    ("no-allow", &["readParcel"], "header-missing"),
    ("half-allow", &["listParcels"], "header-value"),
    ("one-request-id", &["enrol"], "key-reused"),
    // What is nearly valid.
    ("weight-loose", &["postParcel"], "constraint-ignored"),
    ("weight-little", &["postParcel"], "constraint-ignored"),
    ("speed-any-case", &["postParcel"], "constraint-ignored"),
    ("fragile-as-text", &["postParcel"], "constraint-ignored"),
    ("any-password", &["readSender"], "credentials-ignored"),
    // What is answered beside what a law looks for.
    ("other-status", &["closeParcel"], "schema-enum"),
    ("problem-of-400", &["closeParcel"], "problem-status"),
    ("hour-ahead", &["postParcel"], "time-astray"),
    ("holder-renamed", &["postParcel"], "echo"),
    // What a repeat is answered.
    ("repeat-refused", &["postParcel"], "repeat-refused"),
    // Others that are touched, or found.
    ("close-clears-others", &["closeParcel"], "others-changed"),
];
