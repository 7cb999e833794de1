//! `report.sarif`: the differences as SARIF 2.1.0, at the lines of the contract that they break.

use serde_json::{Value, json};

use super::{Record, pretty};
use crate::because;
use crate::change;
use crate::checks::{self, Check};
use crate::contract::identity::sha256;
use crate::event::CaseReport;
use crate::judge::Difference;
use crate::level::{Level, Verdict};
use crate::style::encode;
use crate::tool::TOOL;

/// GitHub takes no more results of one run.
const MOST_RESULTS: usize = 25_000;

/// The text of `report.sarif`.
///
/// # Errors
/// It cannot be written as JSON.
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

/// Cases that say nothing of the server are told as trouble of the tool.
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

fn results(record: &Record) -> Vec<Value> {
    let mut found: Vec<_> = record.differences().collect();
    found.sort_by_key(|(_, difference)| std::cmp::Reverse(difference.level));
    found.truncate(MOST_RESULTS);
    let results = found.into_iter();
    results.map(|(case, found)| result(case, found)).collect()
}

fn result(case: &CaseReport, difference: &Difference) -> Value {
    let check = difference.check;
    let index = checks::ALL.iter().position(|own| *own == check);
    let place = match difference.pointer.as_str() {
        "" => String::new(),
        pointer => format!(" at {pointer}"),
    };
    let because = because::lines(&difference.because);
    let answered = difference.answer.as_ref();
    let answered = answered.map_or_else(String::new, |own| format!("\nanswered {own}"));
    let changed = change::lines(&case.changes);
    let message = format!(
        "{}{place}: {}. Expected {}, got {}.{answered}{changed}{because}",
        case.id, check.doc, difference.expected, difference.actual
    );
    let fingerprint = fingerprint(case, difference);
    let known = difference.known.iter();
    let suppressions: Vec<Value> = known
        .map(|reason| json!({ "kind": "external", "justification": reason }))
        .collect();
    json!({
        "ruleId": check.id,
        "ruleIndex": index,
        "kind": "fail",
        "level": level(difference.level),
        "message": { "text": message },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {
                    "uri": uri(&openapi_document::repository::relative(&difference.spec.file)),
                    "uriBaseId": "%SRCROOT%",
                },
                "region": { "startLine": difference.spec.line },
            },
            "logicalLocations": [{ "fullyQualifiedName": case.id, "kind": "member" }],
        }],
        "suppressions": suppressions,
        "partialFingerprints": {
            "primaryLocationLineHash": fingerprint,
            "conformanceFinding/v1": fingerprint,
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

/// What stays the same from run to run and when the contract's lines move: which check found
/// something in which case and where in the body.
fn fingerprint(case: &CaseReport, difference: &Difference) -> String {
    let place = format!(
        "{}\n{}\n{}",
        difference.check.id, case.id, difference.pointer
    );
    format!("{}:1", &sha256(&place)[..16])
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May => "note",
    }
}

/// A path as a relative reference, or as the address of a file.
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
