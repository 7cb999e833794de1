//! `report.html`: the whole run on one page that needs nothing else. What a server said is never
//! taken for HTML, and the page is not allowed to load anything.

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::{Counts, Record};
use crate::event::{CaseReport, Start};
use crate::level::{Level, Verdict};
use crate::style::encode;
use crate::tool::TOOL;
use crate::value;

mod cases;
mod matrix;
mod side_by_side;

const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// The whole page.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'r> {
    policy: String,
    style: &'static str,
    script: &'static str,
    data: String,
    tool: String,
    start: &'r Start,
    contract_hash: &'r str,
    verdict: &'static str,
    counts: Counts,
    total: usize,
    requests: u64,
    seconds: String,
    shares: Vec<Share>,
    checks: Vec<Found>,
    areas: Vec<&'r str>,
    cases: Vec<Listed<'r>>,
    statuses: Vec<&'r str>,
    matrix: Vec<matrix::Area<'r>>,
}

/// A verdict's part of the bar, in thousandths.
struct Share {
    verdict: &'static str,
    count: usize,
    from: usize,
    width: usize,
}

/// A check that found something.
struct Found {
    id: &'static str,
    doc: &'static str,
    level: Level,
    findings: usize,
    cases: usize,
}

/// A case in the list.
struct Listed<'r> {
    id: &'r str,
    anchor: String,
    verdict: &'static str,
    area: &'r str,
    checks: String,
    said: String,
}

/// The text of `report.html`.
///
/// # Errors
/// The page cannot be written.
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
    let page = Page {
        policy: policy(),
        style: STYLE,
        script: SCRIPT,
        data: cases::json(record)?,
        tool: format!("{} {}", TOOL.name, TOOL.version),
        start,
        contract_hash: start.contract.sha256.get(..16).unwrap_or_default(),
        verdict: record.counts.verdict().as_str(),
        counts: record.counts,
        total: record.counts.total(),
        requests: record.finish.map_or(0, |finish| finish.requests),
        seconds: format!("{:.2}", seconds(record)),
        shares: shares(&record.counts),
        checks: found(record),
        areas,
        cases: record.cases.iter().map(listed).collect(),
        statuses,
        matrix,
    };
    page.render().map_err(std::io::Error::other)
}

/// Nothing is loaded, and no script runs but the page's own.
fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; \
         img-src data:; base-uri 'none'; form-action 'none'"
    )
}

fn seconds(record: &Record) -> f64 {
    let finish = record.finish.map(|finish| finish.duration);
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

/// The checks that found something, the hardest and most frequent first.
fn found(record: &Record) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for case in record.own_cases() {
        let mut counted: Vec<&str> = Vec::new();
        for difference in &case.differences {
            let check = difference.check;
            let index = found.iter().position(|own| own.id == check.id);
            let index = index.unwrap_or_else(|| {
                found.push(Found {
                    id: check.id,
                    doc: check.doc,
                    level: difference.level,
                    findings: 0,
                    cases: 0,
                });
                found.len() - 1
            });
            found[index].findings += 1;
            found[index].level = found[index].level.max(difference.level);
            if !counted.contains(&check.id) {
                found[index].cases += 1;
                counted.push(check.id);
            }
        }
    }
    found.sort_by_key(|own| std::cmp::Reverse((own.level, own.findings)));
    found
}

fn listed(case: &CaseReport) -> Listed<'_> {
    let mut checks: Vec<&str> = Vec::new();
    for difference in &case.differences {
        if !checks.contains(&difference.check.id) {
            checks.push(difference.check.id);
        }
    }
    let said = match (&case.reason, checks.first()) {
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
        said,
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
