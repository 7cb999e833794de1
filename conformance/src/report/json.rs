//! `report.json`, for machines. Its schema is `report.schema.json`.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Counts, Record};
use crate::event::{CaseReport, Start};

/// The JSON Schema of `report.json`.
pub const SCHEMA: &str = include_str!("../../report.schema.json");

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'r> {
    verdict: &'static str,
    counts: Counts,
    tool: Tool,
    run: Option<&'r Start>,
    requests: u64,
    duration_ms: u64,
    cases: &'r [CaseReport],
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

/// The text of `report.json`.
pub fn text(record: &Record) -> Result<String, serde_json::Error> {
    let finish = record.finish.as_ref();
    let report = Report {
        verdict: record.counts.verdict().as_str(),
        counts: record.counts,
        tool: Tool {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
        },
        run: record.start.as_ref(),
        requests: finish.map_or(0, |finish| finish.requests),
        duration_ms: finish.map_or(0, |finish| {
            u64::try_from(finish.duration.as_millis()).unwrap_or(u64::MAX)
        }),
        cases: &record.cases,
    };
    let mut text = serde_json::to_string_pretty(&report)?;
    text.push('\n');
    Ok(text)
}

/// Writes `report.json` into a folder, which is made where it is missing.
pub fn write(record: &Record, folder: &Path) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join("report.json");
    std::fs::write(&path, text(record)?)?;
    Ok(path)
}
