//! The details of the cases. The page holds them compressed, in packs; its script unpacks a pack when
//! a reader opens one of its cases.

use std::collections::HashMap;
use std::io::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::side_by_side::{self, Row};
use crate::event::CaseReport;
use crate::judge::Difference;
use crate::report::Record;
use crate::traffic::{Body, Comparison, Request, Traffic};

/// More traffic of one case is counted and not shown.
const MOST_EXCHANGES: usize = 20;

#[derive(Serialize)]
struct Case<'r> {
    #[serde(flatten)]
    report: &'r CaseReport,
    rows: Vec<Row>,
    traffic: Vec<Exchange<'r>>,
    /// How many exchanges there were.
    exchanges: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Exchange<'r> {
    request: Message<'r>,
    url: &'r str,
    method: &'r str,
    curl: &'r str,
    response: Option<Message<'r>>,
    status: Option<u16>,
    failure: Option<&'r str>,
    ms: f64,
}

#[derive(Serialize)]
struct Message<'r> {
    headers: &'r [(String, String)],
    body: Option<String>,
    note: Option<&'static str>,
}

/// So many cases are in one pack: few enough to unpack at once, enough to compress well.
const CASES_OF_PACK: usize = 50;

/// What the page needs before a case is opened.
#[derive(Serialize)]
struct Index {
    /// The documentation of each check that found something.
    checks: HashMap<&'static str, &'static str>,
    /// What a search finds of each case beside its id, in the order of the list.
    words: Vec<String>,
    /// How many cases a pack has.
    pack: usize,
}

/// The JSON of the index, safe within a `<script>`.
pub(super) fn index(record: &Record) -> Result<String, serde_json::Error> {
    let differences = record.cases.iter().flat_map(|case| &case.differences);
    let check = |difference: &Difference| (difference.check.id, difference.check.doc);
    let index = Index {
        checks: differences.map(check).collect(),
        words: record.cases.iter().map(words).collect(),
        pack: CASES_OF_PACK,
    };
    let json = serde_json::to_string(&index)?;
    // Within the element nothing but the end of it, or of a comment, would be read as HTML.
    Ok(json.replace('<', "\\u003c").replace('>', "\\u003e"))
}

/// What a search finds of a case beside its id.
fn words(case: &CaseReport) -> String {
    let reason = case.reason.as_deref().unwrap_or_default();
    let mut words = vec![&*case.operation_id, &*case.area, reason];
    for difference in &case.differences {
        let Difference {
            check,
            pointer,
            expected,
            actual,
            ..
        } = difference;
        words.extend([check.id, pointer, expected, actual]);
    }
    words.join(" ").to_lowercase()
}

/// The details of all cases: JSON, compressed (deflate), in base64.
pub(super) fn packs(record: &Record) -> std::io::Result<Vec<String>> {
    let mut traffic: HashMap<&str, Vec<&Traffic>> = HashMap::new();
    for exchange in &record.exchanges {
        traffic.entry(&exchange.case).or_default().push(exchange);
    }
    let compared = record.comparisons.iter();
    let compared: HashMap<&str, &Comparison> = compared.map(|own| (&*own.case, own)).collect();
    let pack = |reports: &[CaseReport]| -> std::io::Result<String> {
        let cases = reports.iter();
        let cases: Vec<Case<'_>> = cases
            .map(|report| case(report, &traffic, &compared))
            .collect();
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&serde_json::to_vec(&cases)?)?;
        Ok(STANDARD.encode(encoder.finish()?))
    };
    record.cases.chunks(CASES_OF_PACK).map(pack).collect()
}

/// A case with what was sent for it, or for the steps that decide it.
fn case<'r>(
    report: &'r CaseReport,
    traffic: &HashMap<&str, Vec<&'r Traffic>>,
    compared: &HashMap<&str, &'r Comparison>,
) -> Case<'r> {
    let ids = || std::iter::once(&report.id).chain(&report.via);
    let all: Vec<&Traffic> = { ids() }
        .filter_map(|id| traffic.get(&**id))
        .flatten()
        .copied()
        .collect();
    let compared = { ids() }.find_map(|id| compared.get(&**id));
    Case {
        report,
        rows: compared.map_or_else(Vec::new, |own| rows(&own.documented, &own.received)),
        traffic: { all.iter().take(MOST_EXCHANGES) }
            .map(|own| exchange(own))
            .collect(),
        exchanges: all.len(),
    }
}

fn rows(documented: &str, received: &str) -> Vec<Row> {
    let read = |text| openapi_document::json::read_text(text);
    match (read(documented), read(received)) {
        (Ok(left), Ok(right)) => side_by_side::rows(&left, &right),
        _ => Vec::new(),
    }
}

fn exchange(traffic: &Traffic) -> Exchange<'_> {
    let Request {
        headers,
        body,
        url,
        method,
        curl,
    } = &traffic.request;
    let response = traffic.response.as_ref();
    Exchange {
        request: message(headers, body.as_ref()),
        url,
        method,
        curl,
        response: response.map(|own| message(&own.headers, own.body.as_ref())),
        status: response.map(|own| own.status),
        failure: traffic.failure.as_deref(),
        ms: std::time::Duration::from_micros(traffic.duration_us).as_secs_f64() * 1000.0,
    }
}

fn message<'r>(headers: &'r [(String, String)], body: Option<&Body>) -> Message<'r> {
    let text = body.and_then(|body| body.text.as_deref());
    let readable = text.and_then(|text| openapi_document::json::read_text(text).ok());
    let pretty = readable.as_ref().map(side_by_side::pretty);
    let note = body.and_then(|body| match (&body.text, body.cut) {
        (None, _) => Some("not shown: it cannot be told what in it is secret"),
        (_, true) => Some("cut: it is longer"),
        _ => None,
    });
    Message {
        headers,
        body: pretty.or_else(|| text.map(str::to_owned)),
        note,
    }
}
