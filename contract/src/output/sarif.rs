//! SARIF: writes the report as SARIF 2.1.0, for code scanning.

use std::io;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::pretty;
use crate::catalogue::{self, Rule};
use crate::finding::{Finding, Place};
use crate::level::Level;
use crate::report::{Outcome, Report, TOOL};

/// The maximum number of results that GitHub accepts per run.
const MOST_RESULTS: usize = 25_000;

/// The characters to escape in a path of a URI.
const OUTSIDE_PATHS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The text of the log.
///
/// # Errors
/// The report cannot be written as JSON.
pub fn text(report: &Report) -> io::Result<String> {
    let mut found: Vec<&Finding> = report.findings.iter().collect();
    found.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    found.truncate(MOST_RESULTS);
    let rules = rules(&found);
    let results: Vec<Value> = found
        .iter()
        .map(|finding| result(finding, &rules))
        .collect();
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": TOOL.name,
                "semanticVersion": TOOL.version,
                "rules": rules.iter().map(rule).collect::<Vec<_>>(),
            }},
            "automationDetails": { "id": format!("contract-{}/", report.task.as_str()) },
            "originalUriBaseIds": { "%SRCROOT%": {
                "description": { "text": "The folder of the repository." },
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": report.outcome() != Outcome::Unreadable,
                "exitCode": report.outcome().code(),
            }],
            "results": results,
        }],
    }))
}

/// The rules of the findings.
fn rules(found: &[&Finding]) -> Vec<Rule> {
    let mut rules = catalogue::all();
    rules.retain(|rule| found.iter().any(|finding| finding.rule == rule.id));
    rules.dedup_by_key(|rule| rule.id);
    rules
}

fn rule(rule: &Rule) -> Value {
    let mut tags = vec!["contract", rule.family.as_str()];
    if let Some(axes) = rule.axes {
        tags.extend([axes.direction, axes.area, axes.kind, axes.action]);
    }
    tags.dedup();
    json!({
        "id": rule.id,
        "name": pascal(rule.id),
        "shortDescription": { "text": sentence(rule.summary) },
        "fullDescription": { "text": sentence(rule.summary) },
        "help": {
            "text": format!("{} Run `contract explain {}` for details.", sentence(rule.summary), rule.id),
        },
        "defaultConfiguration": { "level": level(rule.level) },
        "properties": { "tags": tags, "problem.severity": severity(rule.level) },
    })
}

fn result(finding: &Finding, rules: &[Rule]) -> Value {
    let index = rules.iter().position(|rule| rule.id == finding.rule);
    let mut message = sentence(&finding.title);
    if let Some(operation) = &finding.operation {
        message = format!("{operation}: {message}");
    }
    if let Some(help) = &finding.help {
        message = format!("{message} {}", sentence(help));
    }
    let mut places = finding.places.iter();
    let primary: Vec<Value> = places
        .next()
        .map(|place| location(place, finding))
        .into_iter()
        .collect();
    let related: Vec<Value> = places.enumerate().map(related).collect();
    let accepted = finding.accepted.iter();
    let suppressions: Vec<Value> = accepted
        .map(|accepted| json!({ "kind": "external", "justification": accepted.reason }))
        .collect();
    let mut result = json!({
        "ruleId": finding.rule,
        "kind": "fail",
        "level": level(finding.level),
        "message": { "text": message },
        "locations": primary,
        "relatedLocations": related,
        "suppressions": suppressions,
        "partialFingerprints": {
            "primaryLocationLineHash": format!("{}:1", finding.fingerprint),
            "contractFinding/v1": finding.fingerprint,
        },
        "properties": properties(finding),
    });
    if let (Some(index), Some(fields)) = (index, result.as_object_mut()) {
        fields.insert("ruleIndex".to_owned(), json!(index));
    }
    result
}

fn properties(finding: &Finding) -> Value {
    let mut properties = Map::new();
    properties.insert("subject".to_owned(), json!(finding.subject));
    if let Some(operation) = &finding.operation {
        properties.insert("operation".to_owned(), json!(operation));
    }
    if let Some(pointer) = finding.primary().and_then(|place| place.pointer.as_ref()) {
        properties.insert("pointer".to_owned(), json!(pointer));
    }
    Value::Object(properties)
}

fn location(place: &Place, finding: &Finding) -> Value {
    let name = match &finding.operation {
        Some(operation) => format!("{operation} {}", finding.subject),
        None => finding.subject.clone(),
    };
    json!({
        "physicalLocation": physical(place),
        "logicalLocations": [{ "fullyQualifiedName": name, "kind": "member" }],
    })
}

fn related((index, place): (usize, &Place)) -> Value {
    let label = match &place.revision {
        Some(revision) => format!("{} ({revision})", place.label),
        None => place.label.clone(),
    };
    json!({
        "id": index + 1,
        "message": { "text": label },
        "physicalLocation": physical(place),
    })
}

fn physical(place: &Place) -> Value {
    let excerpt = &place.excerpt;
    let shown = excerpt.text.get(excerpt.start..excerpt.end);
    let length = shown.map_or(0, |text| text.chars().count()).max(1);
    let file = match place.revision {
        Some(_) => place.file.clone(),
        None => openapi_document::repository::relative(&place.file),
    };
    json!({
        "artifactLocation": { "uri": uri(&file), "uriBaseId": "%SRCROOT%" },
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endColumn": place.column + length,
            "snippet": { "text": excerpt.text },
        },
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
        Level::Off => "none",
    }
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info | Level::Off => "recommendation",
    }
}

/// A path as a relative reference, or as a file URI if it is absolute.
fn uri(path: &str) -> String {
    let uri = utf8_percent_encode(path, OUTSIDE_PATHS).to_string();
    if uri.starts_with('/') {
        format!("file://{uri}")
    } else {
        uri
    }
}

fn pascal(id: &str) -> String {
    let word = |word: &str| {
        let mut chars = word.chars();
        let first = chars.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    };
    id.split('-').map(word).collect()
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    let end = if text.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    format!("{}{}{end}", first.unwrap_or_default(), chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_reference() {
        for (path, expected) in [
            ("spec/a-b_c.~d.yaml", "spec/a-b_c.~d.yaml"),
            ("a b#c?d%e:f.yaml", "a%20b%23c%3Fd%25e%3Af.yaml"),
            ("/tmp/ä.yaml", "file:///tmp/%C3%A4.yaml"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }
}
