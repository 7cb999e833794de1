//! Writes `report.json`, for programs. Its schema is `report.schema.json`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::untested::Reason;
use super::{Counts, Record, pretty};
use crate::coverage::Coverage;
use crate::event::{CaseReport, Cleaned, Start};
use crate::tool::{TOOL, Tool};

/// The JSON Schema of `report.json`.
pub const SCHEMA: &str = include_str!("../../report.schema.json");

/// The version of that schema. The major version changes when readers must change.
pub const VERSION: &str = "1.0";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'r> {
    version: &'static str,
    verdict: &'static str,
    counts: Counts,
    tool: Tool,
    run: Option<&'r Start>,
    requests: u64,
    duration_ms: u64,
    cases: &'r [CaseReport],
    /// The operations that never succeeded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreached: Vec<&'r str>,
    /// The stated facts that no case tested.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    untested: BTreeMap<&'r str, &'r Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strained: Option<&'r BTreeMap<String, usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cleanup: Option<&'r Cleaned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'r Coverage>,
}

/// The text of `report.json`.
pub fn text(record: &Record) -> Result<String, serde_json::Error> {
    let finish = record.finish.as_ref();
    let untested = record.untested();
    pretty(&Report {
        version: VERSION,
        verdict: record.counts.verdict().as_str(),
        counts: record.counts,
        tool: TOOL,
        run: record.start.as_ref(),
        requests: finish.map_or(0, |finish| finish.requests),
        duration_ms: record.duration_ms(),
        cases: &record.cases,
        unreached: record
            .unreached()
            .map(|case| case.operation_id.as_str())
            .collect(),
        untested: untested.list().into_iter().collect(),
        strained: finish
            .map(|finish| &finish.strained)
            .filter(|strained| !strained.is_empty()),
        cleanup: finish.and_then(|finish| finish.cleanup.as_ref()),
        coverage: record.coverage.as_ref(),
    })
}

/// Writes `report.json` into a folder; creates the folder.
pub fn write(record: &Record, folder: &Path) -> io::Result<PathBuf> {
    super::write(folder, "report.json", &text(record)?)
}
