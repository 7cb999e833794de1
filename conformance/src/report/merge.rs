//! The reports of the shards of one run → the report of the whole.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Counts;
use crate::deviations::{self, covers};
use crate::level::Verdict;
use crate::shard::Shard;

/// Why reports are no parts of one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct MergeError {
    /// The report.
    pub name: String,
    /// Why it does not belong to the others.
    pub reason: String,
}

/// What has to be the same in all of them.
const SAME: [&str; 6] = [
    "/version",
    "/run/contract/sha256",
    "/run/name",
    "/run/url",
    "/run/profile",
    "/run/seed",
];

/// One report of all shards, each with its name, and its verdict. What was covered is not added up.
///
/// # Errors
/// They are not the shards of one run, or one is missing.
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
            return Err(wrong(name, format!("it is no shard of its own: `{shard}`")));
        }
        cases.extend(report["cases"].as_array().into_iter().flatten().cloned());
        requests += report["requests"].as_u64().unwrap_or_default();
        duration = duration.max(report["durationMs"].as_u64().unwrap_or_default());
    }
    let of = shards.first().and_then(|own| own.split('/').nth(1));
    let all = of.and_then(|own| own.parse().ok()).unwrap_or(0);
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
    if let Some(own) = merged.pointer_mut("/run/configuration") {
        own.as_object_mut().map(|own| own.shift_remove("shard"));
    }
    Ok((merged, counts.verdict()))
}

/// Decides of the known deviations that single shards have not seen, or have found out of date: what none
/// of them has seen is no longer there, and what is wrong is told once.
fn settle_deviations(cases: &mut Vec<Value>) {
    let (told, mut all): (Vec<Value>, Vec<Value>) = std::mem::take(cases)
        .into_iter()
        .partition(|own| own["area"] == deviations::AREA);
    let mut kept: Vec<Value> = Vec::new();
    for mut own in told {
        let is_known = kept.iter().any(|other| other["id"] == own["id"]);
        if is_known || (own["verdict"] == Verdict::Skip.as_str() && is_seen(&own, &all)) {
            continue;
        }
        own["verdict"] = json!(Verdict::Fail.as_str());
        kept.push(own);
    }
    all.extend(kept);
    *cases = all;
}

/// Whether a case differs as a known deviation says, which is named by its id:
/// `deviations/<operation>/<check><pointer>`.
fn is_seen(deviation: &Value, cases: &[Value]) -> bool {
    let operation = &deviation["operationId"];
    let own = deviation["id"].as_str().and_then(|id| {
        let rest = id.strip_prefix(deviations::AREA)?.strip_prefix('/')?;
        rest.strip_prefix(operation.as_str()?)?.strip_prefix('/')
    });
    let own = own.unwrap_or_default();
    let (check, pointer) = own.split_at(own.find('/').unwrap_or(own.len()));
    let of_operation = cases
        .iter()
        .filter(|case| case["operationId"] == *operation);
    of_operation
        .flat_map(|case| case["differences"].as_array().into_iter().flatten())
        .any(|own| {
            let at = own["pointer"].as_str().unwrap_or_default();
            own["check"] == check && covers(pointer, at)
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
        if let Some(own) = all.into_iter().find(|own| case["verdict"] == own.as_str()) {
            counts.add(own);
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
    fn a_deviation_that_no_shard_has_seen_is_told_once() {
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
            let told = cases.filter(|own| own["area"] == "deviations");
            let told: Vec<String> = told
                .map(|own| own["id"].as_str().unwrap().to_owned())
                .collect();
            (told, verdict)
        };
        let none: Vec<String> = Vec::new();
        let seen = vec![deviation("/items/*/a", "skip")];
        assert_eq!(merged(seen, Vec::new()), (none, Verdict::Pass));
        for unused in ["/items/*/b", "/items", ""] {
            let own = || vec![deviation(unused, "skip")];
            let (told, verdict) = merged(own(), own());
            assert_eq!(told, [format!("deviations/pay/echo{unused}")]);
            assert_eq!(verdict, Verdict::Fail);
        }
        let late = || vec![deviation("/items/*/a", "fail")];
        let (told, verdict) = merged(late(), late());
        assert_eq!((told.len(), verdict), (1, Verdict::Fail));
    }

    #[test]
    fn what_does_not_belong_together_is_told() {
        let told = |parts: &[(String, Value)]| merge(parts).unwrap_err().to_string();
        let one = part("1/2", 1, "pass");
        assert!(told(&[one.clone(), part("2/2", 2, "pass")]).contains("/run/seed"));
        assert!(told(&[one.clone(), one.clone()]).contains("no shard of its own"));
        assert!(told(std::slice::from_ref(&one)).contains("2/2 is missing"));
        assert!(told(&[one, part("2/2", 1, "pass"), part("3/3", 1, "pass")]).contains("several"));
        assert!(told(&[part("", 1, "pass")]).contains("no shard"));
    }
}
