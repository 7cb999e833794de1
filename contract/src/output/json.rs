//! JSON: writes the report for programs, as described by [`SCHEMA`].

use std::io;

use serde::Serialize;

use super::pretty;
use crate::finding::Finding;
use crate::release::Verdict;
use crate::report::{Counts, Report, Subject, TOOL, Tool};

/// The JSON Schema of the report.
pub const SCHEMA: &str = include_str!("../../report.schema.json");

/// The version of the format; increased when programs that read it must change.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Content<'r> {
    version: u32,
    tool: Tool,
    command: &'static str,
    outcome: &'static str,
    exit_code: u8,
    fail_on: &'static str,
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'r Subject>,
    documents: &'r [Subject],
    versions: &'r [Verdict],
    findings: &'r [Finding],
}

/// The text of the report.
///
/// # Errors
/// The report cannot be written as JSON.
pub fn text(report: &Report) -> io::Result<String> {
    let outcome = report.outcome();
    pretty(&Content {
        version: VERSION,
        tool: TOOL,
        command: report.task.as_str(),
        outcome: outcome.as_str(),
        exit_code: outcome.code(),
        fail_on: report.fail_on.map_or("never", |level| level.as_str()),
        counts: report.counts(),
        base: report.base.as_ref(),
        documents: &report.documents,
        versions: &report.versions,
        findings: &report.findings,
    })
}
