//! Reads the findings in the report of a tool: operations with a kind of failure.

use std::collections::BTreeSet;

use serde_json::Value;

/// Operations with a kind of failure.
pub(super) type Findings = BTreeSet<(String, String)>;

/// The findings in the runner's `report.json`.
pub(super) fn runner(report: &Value) -> Findings {
    let mut findings = Findings::new();
    for case in list(report, "cases") {
        let operation = text(case, "operationId");
        for difference in list(case, "differences") {
            findings.insert((operation.clone(), text(difference, "check")));
        }
        if case["verdict"] == "error" {
            findings.insert((operation, "error".to_owned()));
        }
    }
    findings
}

/// The findings in the JSON report of Schemathesis.
pub(super) fn schemathesis(report: &Value) -> Findings {
    let mut findings = Findings::new();
    for failure in list(report, "failures").chain(list(report, "errors")) {
        let kind = text(failure, "type");
        // A failure without an operation counts too.
        if list(failure, "operations").next().is_none() {
            findings.insert((String::new(), kind.clone()));
        }
        for operation in list(failure, "operations") {
            let operation = operation.as_str().unwrap_or_default();
            findings.insert((operation.to_owned(), kind.clone()));
        }
    }
    findings
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value[key].as_array().into_iter().flatten()
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Findings, runner, schemathesis};

    #[test]
    fn both_reports_have_operations_and_kinds() {
        let pairs = |pairs: &[(&str, &str)]| -> Findings {
            let owned = pairs
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
            owned.collect()
        };
        let report = json!({"cases": [
            {"operationId": "a", "verdict": "pass", "differences": []},
            {"operationId": "a", "verdict": "fail", "differences": [{"check": "echo"}, {"check": "echo"}]},
            {"operationId": "b", "verdict": "error", "differences": []}]});
        assert_eq!(runner(&report), pairs(&[("a", "echo"), ("b", "error")]));
        let report = json!({
            "failures": [{"type": "ServerError", "operations": ["GET /a", "GET /b"]}],
            "errors": [{"type": "Timeout"}]});
        let expected = [
            ("", "Timeout"),
            ("GET /a", "ServerError"),
            ("GET /b", "ServerError"),
        ];
        assert_eq!(schemathesis(&report), pairs(&expected));
        assert!(runner(&json!({})).is_empty() && schemathesis(&json!({})).is_empty());
    }
}
