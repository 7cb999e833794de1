//! Builds a record with a number of differences, for tests.

use openapi_facts::Evidence;

use super::Record;
use crate::because::Because;
use crate::checks;
use crate::event::{CaseReport, Consumer, Event};
use crate::judge::Difference;
use crate::level::{Level, Verdict};
use crate::spot::Spot;

/// A case with a number of differences, each with `actual` as its observed text.
pub(super) fn record(differences: usize, level: Level, actual: &str) -> Record {
    let difference = |index| Difference {
        check: &checks::SCHEMA_TYPE,
        level,
        pointer: format!("/{index}"),
        place: "/*".to_owned(),
        expected: "1".to_owned(),
        actual: actual.to_owned(),
        answer: None,
        spec: Spot {
            file: "a:b,c.yaml".to_owned(),
            line: 7,
            column: None,
        },
        because: vec![Because::new(
            Evidence::Stated,
            Spot {
                file: "a:b,c.yaml".to_owned(),
                line: 7,
                column: None,
            },
            "type: integer",
        )],
        curl: "curl".to_owned(),
        requirement: "getThing/200/one#schema-type".to_owned(),
        known: None,
    };
    let case = CaseReport {
        id: "getThing/200/one".to_owned(),
        operation_id: "getThing".to_owned(),
        area: "things".to_owned(),
        level,
        evidence: Evidence::Stated,
        verdict: Verdict::of([level]),
        reason: None,
        via: Vec::new(),
        changes: Vec::new(),
        differences: (0..differences).map(difference).collect(),
        facts: Vec::new(),
        requests: 1,
        duration_ms: 1,
        is_granted: false,
    };
    let mut record = Record::default();
    // A record accepts every event.
    let _ = record.event(&Event::Case(case));
    record
}
