//! Writes `certificate.json`: the result of a run, with its contract, suite and configuration. Its
//! schema is `certificate.schema.json`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use openapi_facts::Evidence;
use serde::Serialize;

use super::{Counts, Record, pretty, write};
use crate::contract::identity::Identity;
use crate::event::{Configuration, Start};
use crate::level::{Level, Verdict};
use crate::list_identity::ListIdentity;
use crate::tool::{TOOL, Tool};

/// The JSON Schema of `certificate.json`.
pub const SCHEMA: &str = include_str!("../../certificate.schema.json");

/// The version of that schema.
pub const VERSION: &str = "1.0";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Certificate<'r> {
    version: &'static str,
    verdict: &'static str,
    issued: &'r str,
    suite: Tool,
    server: Server<'r>,
    contract: Contract<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requirements: Option<&'r ListIdentity>,
    profile: &'r str,
    scope: Scope<'r>,
    seed: u64,
    configuration: &'r Configuration,
    counts: Counts,
    evidence: EvidenceCounts,
    requests: u64,
    skipped: Vec<Skipped<'r>>,
    deviations: Vec<Deviation<'r>>,
}

#[derive(Serialize)]
struct Server<'r> {
    name: &'r str,
    url: &'r str,
}

#[derive(Serialize)]
struct Contract<'r> {
    title: &'r str,
    #[serde(flatten)]
    identity: &'r Identity,
}

#[derive(Serialize)]
struct Scope<'r> {
    areas: Vec<&'r str>,
    operations: Vec<&'r str>,
}

/// The number of tested cases for each kind of evidence.
#[derive(Default, Serialize)]
struct EvidenceCounts {
    stated: usize,
    shown: usize,
    read: usize,
}

/// A case that was not tested, and so is not certified.
#[derive(Serialize)]
struct Skipped<'r> {
    case: &'r str,
    reason: &'r str,
}

/// A difference of the server.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Deviation<'r> {
    check: &'r str,
    level: Level,
    operation_id: &'r str,
    pointer: &'r str,
    cases: Vec<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<&'r str>,
}

/// The text of `certificate.json`. Empty when the run did not start.
///
/// # Errors
/// It cannot be serialized.
pub fn text(record: &Record) -> Result<String, serde_json::Error> {
    let Some(start) = &record.start else {
        return Ok(String::new());
    };
    pretty(&certificate(record, start))
}

/// Writes `certificate.json` into a folder.
///
/// # Errors
/// The file cannot be written.
pub fn record(record: &Record, folder: &Path) -> io::Result<PathBuf> {
    write(folder, "certificate.json", &text(record)?)
}

fn certificate<'r>(record: &'r Record, start: &'r Start) -> Certificate<'r> {
    let mut areas: Vec<&str> = record.cases.iter().map(|case| &*case.area).collect();
    areas.sort_unstable();
    areas.dedup();
    let operations = record.cases.iter().map(|case| &*case.operation_id);
    let mut operations: Vec<&str> = operations.collect();
    operations.sort_unstable();
    operations.dedup();
    Certificate {
        version: VERSION,
        verdict: record.counts.verdict().as_str(),
        issued: &start.started,
        suite: TOOL,
        server: Server {
            name: &start.name,
            url: &start.url,
        },
        contract: Contract {
            title: &start.title,
            identity: &start.contract,
        },
        requirements: start.requirements.as_ref(),
        profile: &start.profile,
        scope: Scope { areas, operations },
        seed: start.seed,
        configuration: &start.configuration,
        counts: record.counts,
        evidence: evidence(record),
        requests: record.finish.as_ref().map_or(0, |finish| finish.requests),
        skipped: skipped(record),
        deviations: deviations(record),
    }
}

fn evidence(record: &Record) -> EvidenceCounts {
    let mut counts = EvidenceCounts::default();
    let exercised = record.cases.iter();
    for case in exercised.filter(|case| case.verdict != Verdict::Skip) {
        *match case.evidence {
            Evidence::Stated => &mut counts.stated,
            Evidence::Shown => &mut counts.shown,
            Evidence::Read => &mut counts.read,
        } += 1;
    }
    counts
}

fn skipped(record: &Record) -> Vec<Skipped<'_>> {
    let skipped = record.cases.iter();
    let skipped = skipped.filter(|case| case.verdict == Verdict::Skip);
    let skip = skipped.map(|case| Skipped {
        case: &case.id,
        reason: case.reason.as_deref().unwrap_or_default(),
    });
    skip.collect()
}

/// One deviation for each check, operation and place; the highest level first.
fn deviations(record: &Record) -> Vec<Deviation<'_>> {
    let mut found: BTreeMap<(&str, &str, &str), Deviation<'_>> = BTreeMap::new();
    for (case, difference) in record.differences() {
        let key = (
            &*case.operation_id,
            difference.check.id,
            &*difference.pointer,
        );
        let deviation = found.entry(key).or_insert_with(|| Deviation {
            check: difference.check.id,
            level: difference.level,
            operation_id: &case.operation_id,
            pointer: &difference.pointer,
            cases: Vec::new(),
            known: difference.known.as_deref(),
        });
        deviation.level = deviation.level.max(difference.level);
        if deviation.cases.last() != Some(&&*case.id) {
            deviation.cases.push(&case.id);
        }
    }
    let mut deviations: Vec<Deviation<'_>> = found.into_values().collect();
    deviations.sort_by_key(|item| std::cmp::Reverse(item.level));
    deviations
}
