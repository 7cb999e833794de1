//! Merges the reports of the shards of one run.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Counts;
use crate::deviations::{self, covers};
use crate::level::Verdict;
use crate::shard::Shard;

/// Why reports are not the shards of one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct MergeError {
    /// The name of the report.
    pub name: String,
    /// Why it does not belong to the others.
    pub reason: String,
}

/// Pointers to values that must be equal in all reports.
const SAME: [&str; 6] = [
    "/version",
    "/run/contract/sha256",
    "/run/name",
    "/run/url",
    "/run/profile",
    "/run/seed",
];

/// The merged report with its verdict. `reports` has a name for each. Coverage is not merged.
///
/// # Errors
/// The reports are not the shards of one run, or one is missing.
pub fn merge(reports: &[(String, Value)]) -> Result<(Value, Verdict), MergeError> {
    let wrong = |name: &str, reason: String| MergeError {
        name: name.to_owned(),
        reason,
    };
    let Some((first_name, first)) = reports.first() else {
        return Err(wrong("reports", "there is none".to_owned()));
    };
    let mut cases = Vec::new();
    let mut shards = BTreeSet::new();
    let (mut requests, mut duration) = (0, 0);
    for (name, report) in reports {
        let other = SAME
            .iter()
            .find(|at| report.pointer(at) != first.pointer(at));
        if let Some(at) = other {
            return Err(wrong(name, format!("`{at}` differs from {first_name}")));
        }
        let shard = report.pointer("/run/configuration/shard");
        let shard = shard.and_then(Value::as_str).unwrap_or_default();
        if Shard::parse(shard).is_err() || !shards.insert(shard.to_owned()) {
            return Err(wrong(name, format!("it is not another shard: `{shard}`")));
        }
        cases.extend(report["cases"].as_array().into_iter().flatten().cloned());
        requests += report["requests"].as_u64().unwrap_or_default();
        duration = duration.max(report["durationMs"].as_u64().unwrap_or_default());
    }
    let count = shards.first().and_then(|shard| shard.split('/').nth(1));
    let all = count.and_then(|text| text.parse().ok()).unwrap_or(0);
    for number in 1..=all {
        if !shards.contains(&format!("{number}/{all}")) {
            return Err(wrong(
                "reports",
                format!("the shard {number}/{all} is missing"),
            ));
        }
    }
    if shards.len() != all {
        return Err(wrong(
            "reports",
            "they are shards of several runs".to_owned(),
        ));
    }
    settle_deviations(&mut cases);
    let counts = counts(&cases);
    let mut merged = first.clone();
    merged["verdict"] = json!(counts.verdict().as_str());
    merged["counts"] = json!(counts);
    merged["requests"] = json!(requests);
    merged["durationMs"] = json!(duration);
    merged["cases"] = Value::Array(cases);
    if let Some(whole) = merged.as_object_mut() {
        whole.shift_remove("coverage");
    }
    if let Some(configuration) = merged.pointer_mut("/run/configuration") {
        configuration
            .as_object_mut()
            .map(|object| object.shift_remove("shard"));
    }
    Ok((merged, counts.verdict()))
}

/// Merges the cases about known deviations. A deviation that no shard saw is unused, and each
/// mistake is reported once.
fn settle_deviations(cases: &mut Vec<Value>) {
    let (about_deviations, mut all): (Vec<Value>, Vec<Value>) = std::mem::take(cases)
        .into_iter()
        .partition(|deviation| deviation["area"] == deviations::AREA);
    let mut kept: Vec<Value> = Vec::new();
    for mut deviation in about_deviations {
        let is_known = kept.iter().any(|other| other["id"] == deviation["id"]);
        if is_known || (deviation["verdict"] == Verdict::Skip.as_str() && is_seen(&deviation, &all))
        {
            continue;
        }
        deviation["verdict"] = json!(Verdict::Fail.as_str());
        kept.push(deviation);
    }
    all.extend(kept);
    *cases = all;
}

/// Whether a case has the difference of a known deviation. The id of the deviation's case is
/// `deviations/<operation>/<check><pointer>`.
fn is_seen(deviation: &Value, cases: &[Value]) -> bool {
    let operation = &deviation["operationId"];
    let place = deviation["id"].as_str().and_then(|id| {
        let rest = id.strip_prefix(deviations::AREA)?.strip_prefix('/')?;
        rest.strip_prefix(operation.as_str()?)?.strip_prefix('/')
    });
    let place = place.unwrap_or_default();
    let (check, pointer) = place.split_at(place.find('/').unwrap_or(place.len()));
    let of_operation = cases
        .iter()
        .filter(|case| case["operationId"] == *operation);
    of_operation
        .flat_map(|case| case["differences"].as_array().into_iter().flatten())
        .any(|place| {
            let at = place["pointer"].as_str().unwrap_or_default();
            place["check"] == check && covers(pointer, at)
        })
}

fn counts(cases: &[Value]) -> Counts {
    let all = [
        Verdict::Pass,
        Verdict::Warn,
        Verdict::Fail,
        Verdict::Skip,
        Verdict::Error,
    ];
    let mut counts = Counts::default();
    for case in cases {
        if let Some(verdict) = all
            .into_iter()
            .find(|item| case["verdict"] == item.as_str())
        {
            counts.add(verdict);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(shard: &str, seed: u64, verdict: &str) -> (String, Value) {
        let report = json!({"version": "1.0", "requests": 2, "durationMs": 5, "coverage": [],
            "run": {"seed": seed, "configuration": {"shard": shard}},
            "cases": [{"id": shard, "verdict": verdict}]});
        (format!("report {shard}"), report)
    }

    #[test]
    fn shards_of_one_run_are_put_together() {
        let (merged, verdict) = merge(&[part("1/2", 1, "pass"), part("2/2", 1, "fail")]).unwrap();
        assert_eq!(verdict, Verdict::Fail);
        assert_eq!(merged["counts"]["pass"], 1);
        assert_eq!(merged["requests"], 4);
        assert_eq!(merged["run"]["configuration"], json!({}));
        assert!(merged.get("coverage").is_none());
    }

    #[test]
    fn a_deviation_that_no_shard_saw_is_reported_once() {
        let deviation = |pointer: &str, verdict: &str| {
            json!({"id": format!("deviations/pay/echo{pointer}"), "area": "deviations", "operationId": "pay",
                "verdict": verdict, "differences": []})
        };
        let merged = |first: Vec<Value>, second: Vec<Value>| {
            let (mut one, mut two) = (part("1/2", 1, "pass"), part("2/2", 1, "pass"));
            one.1["cases"].as_array_mut().unwrap().extend(first);
            two.1["cases"].as_array_mut().unwrap().extend(second);
            two.1["cases"][0]["operationId"] = json!("pay");
            two.1["cases"][0]["differences"] =
                json!([{"check": "echo", "pointer": "/items/3/a", "known": "so it is"}]);
            let (merged, verdict) = merge(&[one, two]).unwrap();
            let cases = merged["cases"].as_array().unwrap().iter();
            let ids = cases.filter(|case| case["area"] == "deviations");
            let ids: Vec<String> = ids
                .map(|ids| ids["id"].as_str().unwrap().to_owned())
                .collect();
            (ids, verdict)
        };
        let none: Vec<String> = Vec::new();
        let seen = vec![deviation("/items/*/a", "skip")];
        assert_eq!(merged(seen, Vec::new()), (none, Verdict::Pass));
        for unused in ["/items/*/b", "/items", ""] {
            let report = || vec![deviation(unused, "skip")];
            let (ids, verdict) = merged(report(), report());
            assert_eq!(ids, [format!("deviations/pay/echo{unused}")]);
            assert_eq!(verdict, Verdict::Fail);
        }
        let late = || vec![deviation("/items/*/a", "fail")];
        let (ids, verdict) = merged(late(), late());
        assert_eq!((ids.len(), verdict), (1, Verdict::Fail));
    }

    #[test]
    fn reports_of_several_runs_are_refused() {
        let error_of = |parts: &[(String, Value)]| merge(parts).unwrap_err().to_string();
        let one = part("1/2", 1, "pass");
        assert!(error_of(&[one.clone(), part("2/2", 2, "pass")]).contains("/run/seed"));
        assert!(error_of(&[one.clone(), one.clone()]).contains("not another shard"));
        assert!(error_of(std::slice::from_ref(&one)).contains("2/2 is missing"));
        assert!(
            error_of(&[one, part("2/2", 1, "pass"), part("3/3", 1, "pass")]).contains("several")
        );
        assert!(error_of(&[part("", 1, "pass")]).contains("not another shard"));
    }
}
