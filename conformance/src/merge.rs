//! The command `merge`: combines the reports of all shards of a run.

use std::path::{Path, PathBuf};

use anyhow::Context;
use conformance::level::Verdict;
use conformance::report;
use conformance::report::merge::merge as together;
use serde_json::Value;

use crate::{CONFORMS, DIFFERS, HARNESS, USAGE, complain, say};

/// Merges reports and writes the result. Returns the exit code of the whole run.
pub(crate) fn merge(reports: &[PathBuf], out: &Path) -> u8 {
    let read = reports.iter().map(|report| read(report));
    let read = match read.collect::<anyhow::Result<Vec<_>>>() {
        Ok(read) => read,
        Err(error) => return complain(&format!("{error:#}"), USAGE),
    };
    let (report, verdict) = match together(&read) {
        Ok(merged) => merged,
        Err(error) => return complain(&error.to_string(), USAGE),
    };
    let written = serde_json::to_string_pretty(&report).map_err(std::io::Error::from);
    let written = written.and_then(|text| report::write(out, "report.json", &(text + "\n")));
    match written {
        Ok(file) => say(&format!("report: {}", file.display())),
        Err(error) => return complain(&format!("failed to write the report: {error}"), HARNESS),
    }
    say(&format!("verdict: {}", verdict.as_str()));
    match verdict {
        Verdict::Pass => CONFORMS,
        Verdict::Error => HARNESS,
        _ => DIFFERS,
    }
}

fn read(file: &Path) -> anyhow::Result<(String, Value)> {
    let name = file.display().to_string();
    let text = std::fs::read(file).with_context(|| {
        format!("failed to read {name}; name the report.json of each `conformance run --shard`")
    })?;
    let report = serde_json::from_slice(&text).with_context(|| format!("{name} is no report"))?;
    Ok((name, report))
}
