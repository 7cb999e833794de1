//! Explains a case of a report: its findings, their sources, and the requests that tested it.

use std::fmt::Write as _;

use serde_json::Value;

/// The greatest number of requests to print.
const MOST_REQUESTS: usize = 30;

/// The explanation of a case. `events` are the lines of `events.ndjson` of the same run, if it was
/// written. `None` when the report lacks the case.
pub fn explain(report: &Value, events: Option<&str>, id: &str) -> Option<String> {
    let cases = report["cases"].as_array()?;
    let case = cases.iter().find(|case| case["id"] == id)?;
    let mut text = format!("case {id}: {}", text_of(case, "verdict"));
    if let Some(reason) = case["reason"].as_str() {
        // Writing to a string does not fail.
        let _ = write!(text, ": {reason}");
    }
    text.push('\n');
    let findings = case["differences"].as_array().into_iter().flatten();
    for finding in findings {
        text.push_str(&explanation(finding));
    }
    text.push_str(&facts(case));
    text.push_str(&changes(case));
    let sent = events.map_or_else(Vec::new, |events| requests(events, id));
    if sent.is_empty() {
        let _ = writeln!(
            text,
            "\n{} requests tested it; run with `--report ndjson` to list them.",
            case["requests"]
        );
        return Some(text);
    }
    let _ = writeln!(text, "\nRequests that tested it: {}", sent.len());
    for (curl, answer) in sent.iter().take(MOST_REQUESTS) {
        let _ = writeln!(text, "  {curl}\n    {answer}");
    }
    if sent.len() > MOST_REQUESTS {
        let _ = writeln!(text, "  and {} more", sent.len() - MOST_REQUESTS);
    }
    Some(text)
}

fn explanation(finding: &Value) -> String {
    let place = match text_of(finding, "pointer") {
        "" => String::new(),
        pointer => format!(" at {pointer}"),
    };
    let mut text = format!(
        "\n{} {}{place}\n  expected  {}\n  actual    {}\n",
        text_of(finding, "level"),
        text_of(finding, "check"),
        text_of(finding, "expected"),
        text_of(finding, "actual")
    );
    if let Some(status) = finding["answer"]["status"].as_u64() {
        let excerpt = text_of(&finding["answer"], "excerpt");
        let _ = writeln!(
            text,
            "  answered  {}",
            format!("{status} {excerpt}").trim_end()
        );
    }
    let sources = finding["because"].as_array().into_iter().flatten();
    for source in sources {
        let _ = writeln!(
            text,
            "  because   {} at {}:{}: {}",
            text_of(source, "evidence"),
            text_of(source, "file"),
            source["line"],
            text_of(source, "words")
        );
    }
    for line in text_of(finding, "curl").lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// The stated facts that the case tests.
fn facts(case: &Value) -> String {
    let facts = case["facts"].as_array().into_iter().flatten();
    let line = |fact: &Value| {
        let outcome = match fact["untested"].as_str() {
            Some(reason) => format!("not tested: {reason}"),
            None => "tested".to_owned(),
        };
        format!("  {}: {outcome}\n", text_of(fact, "fact"))
    };
    let lines: String = facts.map(line).collect();
    if lines.is_empty() {
        return lines;
    }
    format!("\nStated facts:\n{lines}")
}

/// The values of the example that the run replaced.
fn changes(case: &Value) -> String {
    let changes = case["changes"].as_array().into_iter().flatten();
    let line = |change: &Value| {
        let shown = change["shown"].as_str().unwrap_or("nothing");
        let sent = change["sent"].as_str().unwrap_or("nothing");
        let (place, at) = (text_of(change, "in"), text_of(change, "at"));
        let reason = text_of(change, "reason");
        let place = format!("{place} {at}");
        format!("  {}: {shown} → {sent} ({reason})\n", place.trim_end())
    };
    let lines: String = changes.map(line).collect();
    if lines.is_empty() {
        return lines;
    }
    format!("\nChanged in the example; the rest was sent unchanged:\n{lines}")
}

/// The requests of a case with their answers.
fn requests(events: &str, id: &str) -> Vec<(String, String)> {
    let lines = events
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let exchanges =
        lines.filter(|event: &Value| event["event"] == "exchange" && event["case"] == id);
    exchanges
        .map(|event| {
            let curl = text_of(&event["request"], "curl").to_owned();
            let answer = match event["response"]["status"].as_u64() {
                Some(status) => format!("{status}"),
                None => text_of(&event, "failure").to_owned(),
            };
            (curl, answer)
        })
        .collect()
}

fn text_of<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_case_is_explained_with_its_sources_and_requests() {
        let report = json!({"cases": [{
            "id": "laws/sums/addPart", "verdict": "warn", "requests": 1,
            "differences": [{
                "level": "SHOULD", "check": "sum-exceeded", "pointer": "/size", "expected": "at most 3", "actual": "4",
                "because": [{"evidence": "read", "file": "api.yaml", "line": 7, "words": "No more than the whole."}],
                "curl": "curl -X POST 'http://a/parts'",
            }],
        }]});
        let event = json!({"event": "exchange", "case": "laws/sums/addPart",
            "request": {"curl": "curl 'http://a/parts'"}, "response": {"status": 201}});
        let text = explain(&report, Some(&event.to_string()), "laws/sums/addPart").unwrap();
        let expected = "\
case laws/sums/addPart: warn

SHOULD sum-exceeded at /size
  expected  at most 3
  actual    4
  because   read at api.yaml:7: No more than the whole.
  curl -X POST 'http://a/parts'

Requests that tested it: 1
  curl 'http://a/parts'
    201
";
        assert_eq!(text, expected);
        assert_eq!(explain(&report, None, "laws/sums/other"), None);
    }
}
