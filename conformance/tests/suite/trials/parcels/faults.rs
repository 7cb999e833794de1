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
async fn a_neighbour_credential_is_a_placeholder() {
    let record = TRIAL
        .run("read-by-neighbour", By::Document, 1, &["readParcel"])
        .await;
    let commands = record.cases.iter().flat_map(|case| &case.differences);
    let commands: Vec<&str> = commands.map(|commands| commands.curl.as_str()).collect();
    assert!(!commands.is_empty());
    let configuration = &record.start.as_ref().unwrap().configuration;
    let shown: Vec<&String> = configuration.neighbour.values().collect();
    assert_eq!(shown, ["$CONFORMANCE_NEIGHBOUR"]);
    for curl in commands {
        assert!(curl.contains("$CONFORMANCE_NEIGHBOUR"), "{curl}");
        assert!(!curl.contains(&NEIGHBOUR[6..]), "{curl}");
    }
}

const FAULTS: &[Row] = &[
    // Statements about every path.
    ("headless", &["listParcels"], "head-differs"),
    ("no-allow", &["readParcel"], "header-missing"),
    ("half-allow", &["listParcels"], "header-value"),
    ("one-request-id", &["enrol"], "key-reused"),
    // Near misses.
    ("weight-loose", &["postParcel"], "constraint-ignored"),
    ("weight-little", &["postParcel"], "constraint-ignored"),
    ("speed-any-case", &["postParcel"], "constraint-ignored"),
    ("fragile-as-text", &["postParcel"], "constraint-ignored"),
    ("any-password", &["readSender"], "credentials-ignored"),
    // Further differences in an answer.
    ("other-status", &["closeParcel"], "schema-enum"),
    ("problem-of-400", &["closeParcel"], "problem-status"),
    ("hour-ahead", &["postParcel"], "time-astray"),
    ("holder-renamed", &["postParcel"], "echo"),
    // Access by a neighbour.
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
    // Answers to repeats.
    ("repeat-refused", &["postParcel"], "repeat-refused"),
    ("repeat-of-now", &["postParcel"], "repeat-made-another"),
    // Effects on other records.
    ("close-clears-others", &["closeParcel"], "others-changed"),
    ("relabel-all", &["relabelParcel"], "others-changed"),
    // Versions.
    ("tag-of-making", &["postParcel"], "version-differs"),
];
