//! Writes `report.sarif`: the causes of differences as SARIF 2.1.0, at the lines of the contract.

use serde_json::{Value, json};

use super::cause::{self, Cause};
use super::{Record, pretty};
use crate::because;
use crate::change;
use crate::checks::{self, Check};
use crate::contract::identity::sha256;
use crate::event::CaseReport;
use crate::judge::Difference;
use crate::level::{Level, Verdict};
use crate::spot::Spot;
use crate::style::encode;
use crate::tool::TOOL;

/// GitHub accepts at most this many results of one run.
const MOST_RESULTS: usize = 25_000;

/// The text of `report.sarif`.
///
/// # Errors
/// It cannot be serialized.
pub fn text(record: &Record) -> Result<String, serde_json::Error> {
    let name = record.start.as_ref().map_or("server", |start| &start.name);
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": TOOL.name,
                "semanticVersion": TOOL.version,
                "rules": checks::ALL.iter().map(|check| rule(check)).collect::<Vec<_>>(),
            }},
            "automationDetails": { "id": format!("conformance/{name}/") },
            "originalUriBaseIds": { "%SRCROOT%": {
                "description": { "text": "The folder of the repository." },
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation(record)],
            "results": results(record),
        }],
    }))
}

fn rule(check: &Check) -> Value {
    let level = level(check.level);
    let severity = match check.level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May => "recommendation",
    };
    let help = format!("`{}`: {}.", check.id, check.doc);
    json!({
        "id": check.id,
        "name": pascal(check.id),
        "shortDescription": { "text": sentence(check.doc) },
        "fullDescription": { "text": sentence(check.doc) },
        "help": {
            "text": format!("Found when {}.", check.doc),
            "markdown": help,
        },
        "defaultConfiguration": { "level": level },
        "properties": {
            "tags": ["conformance", check.level.to_string()],
            "problem.severity": severity,
            "precision": "very-high",
        },
    })
}

/// Cases with an error are notifications of the tool, because they did not judge the server.
fn invocation(record: &Record) -> Value {
    let broken = record
        .cases
        .iter()
        .filter(|case| case.verdict == Verdict::Error);
    let notification = |case: &CaseReport| {
        let reason = case.reason.as_deref().unwrap_or_default();
        json!({ "level": "error", "message": { "text": format!("{}: {reason}", case.id) } })
    };
    let notifications: Vec<Value> = broken.map(notification).collect();
    let mut invocation = json!({
        "executionSuccessful": notifications.is_empty(),
        "toolExecutionNotifications": notifications,
    });
    if let (Some(start), Some(fields)) = (&record.start, invocation.as_object_mut()) {
        fields.insert("startTimeUtc".to_owned(), json!(start.started));
    }
    invocation
}

/// One result for each cause, the highest level first, and one for each known deviation.
fn results(record: &Record) -> Vec<Value> {
    let found = cause::causes(&record.cases);
    let found = found.iter().map(of_cause);
    let known = record.differences();
    let known = known.filter_map(|(case, difference)| {
        Some(suppressed(case, difference, difference.known.as_ref()?))
    });
    found.chain(known).take(MOST_RESULTS).collect()
}

/// The result of a cause: its clearest example, its count, and its places.
fn of_cause(cause: &Cause<'_>) -> Value {
    let (case, difference) = cause.example;
    let fingerprint = fingerprint(difference, cause.first());
    let mut result = result(case, difference, &fingerprint);
    let text = format!("{}{}", message(case, difference), extent(cause));
    result["level"] = json!(level(cause.level));
    result["message"]["text"] = json!(text);
    result["occurrenceCount"] = json!(cause.count);
    result["properties"]["places"] = cause
        .places
        .iter()
        .map(|((operation, pointer), count)| {
            json!({ "operationId": operation, "pointer": pointer, "count": count })
        })
        .collect();
    result
}

/// The number of differences with a cause, and their operations.
fn extent(cause: &Cause<'_>) -> String {
    if cause.count == 1 {
        return String::new();
    }
    let operations = cause.operations().join(", ");
    format!("\nfound {} times, in {operations}", cause.count)
}

/// The result of a known deviation, which code scanning keeps closed.
fn suppressed(case: &CaseReport, difference: &Difference, reason: &str) -> Value {
    let fingerprint = fingerprint(difference, (&case.id, &difference.pointer));
    let mut result = result(case, difference, &fingerprint);
    result["suppressions"] = json!([{ "kind": "external", "justification": reason }]);
    result
}

fn result(case: &CaseReport, difference: &Difference, fingerprint: &str) -> Value {
    let check = difference.check;
    let index = checks::ALL.iter().position(|item| *item == check);
    json!({
        "ruleId": check.id,
        "ruleIndex": index,
        "kind": "fail",
        "level": level(difference.level),
        "message": { "text": message(case, difference) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {
                    "uri": uri(&openapi_document::repository::relative(&difference.spec.file)),
                    "uriBaseId": "%SRCROOT%",
                },
                "region": region(&difference.spec),
            },
            "logicalLocations": [{ "fullyQualifiedName": case.id, "kind": "member" }],
        }],
        "suppressions": [],
        "partialFingerprints": {
            "primaryLocationLineHash": fingerprint,
            "conformanceFinding/v2": fingerprint,
        },
        "properties": {
            "case": case.id,
            "operationId": case.operation_id,
            "pointer": difference.pointer,
            "because": difference.because,
            "curl": difference.curl,
        },
    })
}

/// The place in the contract: its line, and the column in a long line.
fn region(spot: &Spot) -> Value {
    match spot.column {
        Some(column) => json!({ "startLine": spot.line, "startColumn": column }),
        None => json!({ "startLine": spot.line }),
    }
}

fn message(case: &CaseReport, difference: &Difference) -> String {
    let place = match difference.pointer.as_str() {
        "" => String::new(),
        pointer => format!(" at {pointer}"),
    };
    let because = because::lines(&difference.because);
    let answered = difference.answer.as_ref();
    let answered = answered.map_or_else(String::new, |item| format!("\nanswered {item}"));
    let changed = change::lines(&case.changes);
    format!(
        "{}{place}: {}. Expected {}, got {}.{answered}{changed}{because}",
        case.id, difference.check.doc, difference.expected, difference.actual
    )
}

/// Identifies a finding across runs and after lines have moved: the check, the case, and the place
/// in the body.
fn fingerprint(difference: &Difference, (case, pointer): (&str, &str)) -> String {
    let text = format!("{}\n{case}\n{pointer}", difference.check.id);
    format!("{}:1", &sha256(&text)[..16])
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May => "note",
    }
}

/// A path as a relative reference, or as a `file:` URL.
fn uri(path: &str) -> String {
    let segments: Vec<String> = path.split('/').map(encode).collect();
    let path = segments.join("/");
    if path.starts_with('/') {
        format!("file://{path}")
    } else {
        path
    }
}

fn pascal(id: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    id.split('-').map(word).collect()
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), chars.as_str())
}
