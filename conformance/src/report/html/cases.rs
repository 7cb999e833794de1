//! The details of the cases. The page contains them in compressed packs; its script unpacks a pack
//! when a reader opens one of its cases.

use std::collections::{HashMap, HashSet};
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

/// The greatest number of exchanges to show for a case with traffic.
const MOST_EXCHANGES: usize = 20;

#[derive(Serialize)]
struct Case<'r> {
    #[serde(flatten)]
    report: &'r CaseReport,
    rows: Vec<Row>,
    traffic: Vec<Exchange<'r>>,
    /// The number of all exchanges of the case.
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

/// The number of cases in one pack: few enough to unpack quickly, enough to compress well.
const CASES_OF_PACK: usize = 50;

/// The data that the page needs before a reader opens a case.
#[derive(Serialize)]
struct Index {
    /// The documentation of each check with differences.
    checks: HashMap<&'static str, &'static str>,
    /// The searchable words of each case besides its id, in the order of the list.
    words: Vec<String>,
    /// The number of cases in a pack.
    pack: usize,
}

/// The JSON of the index, escaped for a `<script>` element.
pub(super) fn index(record: &Record) -> Result<String, serde_json::Error> {
    let differences = record.cases.iter().flat_map(|case| &case.differences);
    let check = |difference: &Difference| (difference.check.id, difference.check.doc);
    let index = Index {
        checks: differences.map(check).collect(),
        words: record.cases.iter().map(words).collect(),
        pack: CASES_OF_PACK,
    };
    let json = serde_json::to_string(&index)?;
    // Within the element only its end tag or a comment would be parsed as HTML.
    Ok(json.replace('<', "\\u003c").replace('>', "\\u003e"))
}

/// The searchable words of a case besides its id.
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

/// The details of all cases: JSON, compressed (deflate), in base64. Only the cases in `with_traffic`
/// have their exchanges.
pub(super) fn packs(record: &Record, with_traffic: &HashSet<&str>) -> std::io::Result<Vec<String>> {
    let mut traffic: HashMap<&str, Vec<&Traffic>> = HashMap::new();
    for exchange in &record.exchanges {
        traffic.entry(&exchange.case).or_default().push(exchange);
    }
    let compared = record.comparisons.iter();
    let compared: HashMap<&str, &Comparison> = compared
        .map(|comparison| (&*comparison.case, comparison))
        .collect();
    let pack = |reports: &[CaseReport]| -> std::io::Result<String> {
        let cases = reports.iter();
        let cases: Vec<Case<'_>> = cases
            .map(|report| {
                let is_with_traffic = with_traffic.contains(&*report.id);
                case(report, is_with_traffic, &traffic, &compared)
            })
            .collect();
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&serde_json::to_vec(&cases)?)?;
        Ok(STANDARD.encode(encoder.finish()?))
    };
    record.cases.chunks(CASES_OF_PACK).map(pack).collect()
}

/// A case with the number of its exchanges, or of those of the steps that decide it.
fn case<'r>(
    report: &'r CaseReport,
    is_with_traffic: bool,
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
    let most = if is_with_traffic { MOST_EXCHANGES } else { 0 };
    Case {
        report,
        rows: compared.map_or_else(Vec::new, |item| rows(&item.documented, &item.received)),
        traffic: { all.iter().take(most) }
            .map(|item| exchange(item))
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
        response: response.map(|response| message(&response.headers, response.body.as_ref())),
        status: response.map(|response| response.status),
        failure: traffic.failure.as_deref(),
        ms: std::time::Duration::from_micros(traffic.duration_us).as_secs_f64() * 1000.0,
    }
}

fn message<'r>(headers: &'r [(String, String)], body: Option<&Body>) -> Message<'r> {
    let text = body.and_then(|body| body.text.as_deref());
    let readable = text.and_then(|text| openapi_document::json::read_text(text).ok());
    let pretty = readable.as_ref().map(side_by_side::pretty);
    let note = body.and_then(|body| match (&body.text, body.cut) {
        (None, _) => Some("not shown: the runner cannot tell which parts are secret"),
        (_, true) => Some("cut: the body is longer"),
        _ => None,
    });
    Message {
        headers,
        body: pretty.or_else(|| text.map(str::to_owned)),
        note,
    }
}
