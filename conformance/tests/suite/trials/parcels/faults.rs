//! The faults of the parcels, each with the check that names it.

use super::{NEIGHBOUR, STAFF, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "parcels/parcels.yaml",
    header: ("authorization", STAFF),
    neighbour: Some(("authorization", NEIGHBOUR)),
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

#[tokio::test]
async fn a_neighbour_is_told_of_by_a_placeholder() {
    let record = TRIAL
        .run("read-by-neighbour", By::Document, 1, &["readParcel"])
        .await;
    let told = record.cases.iter().flat_map(|own| &own.differences);
    let told: Vec<&str> = told.map(|own| own.curl.as_str()).collect();
    assert!(!told.is_empty());
    let configuration = &record.start.as_ref().unwrap().configuration;
    let shown: Vec<&String> = configuration.neighbour.values().collect();
    assert_eq!(shown, ["$CONFORMANCE_NEIGHBOUR"]);
    for curl in told {
        assert!(curl.contains("$CONFORMANCE_NEIGHBOUR"), "{curl}");
        assert!(!curl.contains(&NEIGHBOUR[6..]), "{curl}");
    }
}

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
    // What is a neighbour's, too.
    ("read-by-neighbour", &["readParcel"], "foreign-parent-found"),
    (
        "closed-by-neighbour",
        &["closeParcel"],
        "foreign-parent-found",
    ),
    (
        "listed-by-neighbour",
        &["listParcels"],
        "foreign-parent-found",
    ),
    // What a repeat is answered.
    ("repeat-refused", &["postParcel"], "repeat-refused"),
    ("repeat-of-now", &["postParcel"], "repeat-made-another"),
    // Others that are touched, or found.
    ("close-clears-others", &["closeParcel"], "others-changed"),
    ("relabel-all", &["relabelParcel"], "others-changed"),
    // Versions.
    ("tag-of-making", &["postParcel"], "version-differs"),
];
