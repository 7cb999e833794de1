//! Writes `report.html`: the whole run on one page without external files, with the traffic of one
//! case for each cause. Escapes all texts of the server, and forbids loading anything.

use std::collections::{BTreeMap, HashSet};

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::cause::{self, Cause};
use super::{Counts, Record};
use crate::event::{CaseReport, Left, Start};
use crate::level::{Level, Verdict};
use crate::style::encode;
use crate::tool::TOOL;
use crate::value;

mod cases;
mod matrix;
mod side_by_side;

const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// The greatest number of causes to list.
const MOST_CAUSES: usize = 200;

/// The greatest number of operations to name for a cause.
const MOST_OPERATIONS: usize = 4;

/// The whole page.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'r> {
    policy: String,
    style: &'static str,
    script: &'static str,
    index: String,
    packs: Vec<String>,
    tool: String,
    start: &'r Start,
    contract_hash: &'r str,
    verdict: &'static str,
    counts: Counts,
    total: usize,
    requests: u64,
    seconds: String,
    shares: Vec<Share>,
    checks: Vec<&'static str>,
    unreached: Vec<Unreached<'r>>,
    untested: Vec<UntestedFact>,
    left: &'r [Left],
    strained: Option<&'r BTreeMap<String, usize>>,
    causes: Vec<Caused>,
    more_causes: usize,
    areas: Vec<&'r str>,
    cases: Vec<Listed<'r>>,
    statuses: Vec<&'r str>,
    matrix: Vec<matrix::Area<'r>>,
}

/// The share of a verdict in the bar, in thousandths.
struct Share {
    verdict: &'static str,
    count: usize,
    from: usize,
    width: usize,
}

/// A stated fact that no case tested.
struct UntestedFact {
    fact: String,
    /// The place of the first case that should have tested it.
    anchor: String,
    reason: String,
}

/// An operation that never succeeded.
struct Unreached<'r> {
    operation: &'r str,
    anchor: String,
    reason: &'r str,
}

/// Differences with one cause.
struct Caused {
    level: Level,
    check: &'static str,
    doc: &'static str,
    place: String,
    expected: String,
    actual: String,
    anchor: String,
    operations: String,
    count: usize,
}

/// A case in the list.
struct Listed<'r> {
    id: &'r str,
    anchor: String,
    verdict: &'static str,
    area: &'r str,
    checks: String,
    summary: String,
}

/// The text of `report.html`.
///
/// # Errors
/// The template cannot be rendered, or the cases cannot be compressed.
pub fn text(record: &Record) -> std::io::Result<String> {
    let Some(start) = &record.start else {
        return Ok(String::new());
    };
    let (statuses, matrix) = matrix::matrix(record);
    let mut areas: Vec<&str> = Vec::new();
    for case in &record.cases {
        if !areas.contains(&&*case.area) {
            areas.push(&case.area);
        }
    }
    let causes = cause::causes(&record.cases);
    let examples = causes.iter().take(MOST_CAUSES).map(|cause| cause.example.0);
    let examples: HashSet<&str> = examples.map(|case| &*case.id).collect();
    let page = Page {
        policy: policy(),
        style: STYLE,
        script: SCRIPT,
        index: cases::index(record)?,
        packs: cases::packs(record, &examples)?,
        tool: format!("{} {}", TOOL.name, TOOL.version),
        start,
        contract_hash: start.contract.sha256.get(..16).unwrap_or_default(),
        verdict: record.counts.verdict().as_str(),
        counts: record.counts,
        total: record.counts.total(),
        requests: record.finish.as_ref().map_or(0, |finish| finish.requests),
        seconds: format!("{:.2}", seconds(record)),
        shares: shares(&record.counts),
        checks: found(record),
        unreached: record.unreached().map(unreached).collect(),
        untested: untested(record),
        left: left(record),
        strained: record
            .finish
            .as_ref()
            .map(|finish| &finish.strained)
            .filter(|strained| !strained.is_empty()),
        more_causes: causes.len().saturating_sub(MOST_CAUSES),
        causes: causes.iter().take(MOST_CAUSES).map(caused).collect(),
        areas,
        cases: record.cases.iter().map(listed).collect(),
        statuses,
        matrix,
    };
    page.render().map_err(std::io::Error::other)
}

/// A policy that loads nothing and runs only the script of the page.
fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; \
         img-src data:; base-uri 'none'; form-action 'none'"
    )
}

/// The records of the run that remain on the server.
fn left(record: &Record) -> &[Left] {
    let finish = record.finish.as_ref();
    let cleaned = finish.and_then(|finish| finish.cleanup.as_ref());
    cleaned.map_or(&[], |cleaned| &cleaned.left)
}

fn seconds(record: &Record) -> f64 {
    let finish = record.finish.as_ref().map(|finish| finish.duration);
    finish.unwrap_or_default().as_secs_f64()
}

fn shares(counts: &Counts) -> Vec<Share> {
    let total = counts.total().max(1);
    let mut done = 0;
    let verdicts = [
        (Verdict::Pass, counts.pass),
        (Verdict::Warn, counts.warn),
        (Verdict::Fail, counts.fail),
        (Verdict::Error, counts.error),
        (Verdict::Skip, counts.skip),
    ];
    let share = |(verdict, count): (Verdict, usize)| {
        let from = done * 1000 / total;
        done += count;
        Share {
            verdict: verdict.as_str(),
            count,
            from,
            width: done * 1000 / total - from,
        }
    };
    verdicts.into_iter().map(share).collect()
}

fn unreached(case: &CaseReport) -> Unreached<'_> {
    Unreached {
        operation: &case.operation_id,
        anchor: anchor(&case.id),
        reason: case.reason.as_deref().unwrap_or_default(),
    }
}

/// The stated facts that no case tested.
fn untested(record: &Record) -> Vec<UntestedFact> {
    let untested = record.untested();
    let facts = untested.list().into_iter();
    let facts = facts.map(|(fact, why)| UntestedFact {
        fact: fact.to_owned(),
        anchor: anchor(&why.case),
        reason: why.reason.clone(),
    });
    facts.collect()
}

/// The ids of the checks with differences.
fn found(record: &Record) -> Vec<&'static str> {
    let mut found: Vec<&str> = Vec::new();
    for (_, difference) in record.differences() {
        if !found.contains(&difference.check.id) {
            found.push(difference.check.id);
        }
    }
    found.sort_unstable();
    found
}

fn caused(cause: &Cause<'_>) -> Caused {
    let (case, difference) = cause.example;
    let operations = cause.operations();
    let shown = operations.len().min(MOST_OPERATIONS);
    let more = match operations.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Caused {
        level: cause.level,
        check: difference.check.id,
        doc: difference.check.doc,
        place: cause.pointers().join(", "),
        expected: short(&difference.expected),
        actual: short(&difference.actual),
        anchor: anchor(&case.id),
        operations: format!("{}{more}", operations[..shown].join(", ")),
        count: cause.count,
    }
}

fn listed(case: &CaseReport) -> Listed<'_> {
    let mut checks: Vec<&str> = Vec::new();
    for difference in &case.differences {
        if !checks.contains(&difference.check.id) {
            checks.push(difference.check.id);
        }
    }
    let summary = match (&case.reason, checks.first()) {
        (Some(reason), _) => short(reason),
        (None, Some(_)) => checks.join(", "),
        (None, None) => String::new(),
    };
    Listed {
        id: &case.id,
        anchor: anchor(&case.id),
        verdict: case.verdict.as_str(),
        area: &case.area,
        checks: checks.join(" "),
        summary,
    }
}

/// The fragment that opens a case.
fn anchor(id: &str) -> String {
    let segments: Vec<String> = id.split('/').map(encode).collect();
    format!("case-{}", segments.join("/"))
}

fn short(text: &str) -> String {
    value::excerpt(text)
}
