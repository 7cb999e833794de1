//! Compares the findings of a run with the reviewed list of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

/// A reviewer's verdict on a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// The server differs from its document.
    True,
    /// The runner is wrong.
    False,
    /// Both readings can be defended.
    Disputable,
    /// Not reviewed.
    Unreviewed,
}

/// A reviewed finding.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Finding {
    check: String,
    operation: String,
    /// The place in the answer, with `*` for any index or generated key.
    pointer: String,
    verdict: Verdict,
    reason: String,
}

impl Finding {
    /// Whether this is the reviewed finding. A `*` in its place matches any segment.
    fn fits(&self, (check, operation, pointer): &Key) -> bool {
        let (known, other) = (self.pointer.split('/'), pointer.split('/'));
        let is_same = |(known, other): (&str, &str)| known == "*" || known == other;
        self.check == *check
            && self.operation == *operation
            && known.clone().count() == other.clone().count()
            && known.zip(other).all(is_same)
    }
}

/// Check, operation and place.
type Key = (String, String, String);

/// The comparison of a run's findings with the reviewed list.
pub(super) struct Outcome {
    /// The number of findings with each verdict.
    counts: BTreeMap<Verdict, usize>,
    /// The false findings, with their reasons.
    wrong: Vec<(Key, String)>,
    /// The findings that the list lacks.
    pub(super) unknown: BTreeSet<Key>,
    /// The number of listed findings that did not occur.
    gone: usize,
}

impl Outcome {
    /// Whether the list has a verdict on every finding.
    pub(super) fn is_reviewed(&self) -> bool {
        self.unknown.is_empty() && !self.counts.contains_key(&Verdict::Unreviewed)
    }

    pub(super) fn print(&self) {
        let count = |verdict| self.counts.get(&verdict).copied().unwrap_or_default();
        println!(
            "findings: {} true, {} false, {} disputable, {} unreviewed, {} unknown; {} of the list not found",
            count(Verdict::True),
            count(Verdict::False),
            count(Verdict::Disputable),
            count(Verdict::Unreviewed),
            self.unknown.len(),
            self.gone
        );
        for ((check, operation, pointer), reason) in &self.wrong {
            println!("  false: {check} {operation} {pointer}: {reason}");
        }
        for (check, operation, pointer) in &self.unknown {
            println!("  unknown: {check} {operation} {pointer}");
        }
    }
}

/// The findings of a report at SHOULD or MUST. A case that other cases decide has none.
pub(super) fn read(report: &Path) -> anyhow::Result<BTreeSet<Key>> {
    let mut found = BTreeSet::new();
    for case in cases(&read_report(report)?) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let is_decided_elsewhere = case["via"].as_array().is_some_and(|case| !case.is_empty());
        let differences = case["differences"].as_array().cloned().unwrap_or_default();
        let differences = differences.iter().filter(|_| !is_decided_elsewhere);
        for difference in differences.filter(|difference| difference["level"] != "MAY") {
            found.insert((
                text(&difference["check"]),
                text(&case["operationId"]),
                starred(difference["pointer"].as_str().unwrap_or_default()),
            ));
        }
    }
    Ok(found)
}

/// The number of operations that succeeded, and of those that were called.
pub(super) fn reached(report: &Path) -> anyhow::Result<(usize, usize)> {
    let report = read_report(report)?;
    let called = cases(&report).filter(|case| {
        let id = case["id"].as_str().unwrap_or_default();
        id.starts_with("laws/success/")
    });
    let called = called.count();
    let unreached = report["unreached"].as_array().map_or(0, Vec::len);
    Ok((called.saturating_sub(unreached), called))
}

pub(super) fn compare(list: &[Finding], found: &BTreeSet<Key>) -> Outcome {
    let mut outcome = Outcome {
        counts: BTreeMap::new(),
        wrong: Vec::new(),
        unknown: found.clone(),
        gone: 0,
    };
    for reviewed in list {
        let fitting: Vec<&Key> = found.iter().filter(|item| reviewed.fits(item)).collect();
        if fitting.is_empty() {
            outcome.gone += 1;
        }
        for key in fitting {
            outcome.unknown.remove(key);
            *outcome.counts.entry(reviewed.verdict).or_default() += 1;
            if reviewed.verdict == Verdict::False {
                outcome.wrong.push((key.clone(), reviewed.reason.clone()));
            }
        }
    }
    outcome
}

/// Adds findings to a list, for a reviewer.
pub(super) fn append(list: &Path, unknown: &BTreeSet<Key>) -> anyhow::Result<()> {
    let mut text = String::new();
    for (check, operation, pointer) in unknown {
        writeln!(
            text,
            "\n[[finding]]\ncheck = {check:?}\noperation = {operation:?}\npointer = {pointer:?}\n\
             verdict = \"unreviewed\"\nreason = \"\""
        )?;
    }
    let mut file = File::options().append(true).open(list)?;
    Ok(file.write_all(text.as_bytes())?)
}

fn read_report(folder: &Path) -> anyhow::Result<Value> {
    let file = folder.join("report.json");
    let text = std::fs::read(&file).with_context(|| format!("no {}", file.display()))?;
    Ok(serde_json::from_slice(&text)?)
}

fn cases(report: &Value) -> impl Iterator<Item = &Value> {
    report["cases"].as_array().into_iter().flatten()
}

/// A pointer with `*` for each index.
fn starred(pointer: &str) -> String {
    let segments = pointer.split('/').map(|segment| {
        let is_index = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
        if is_index { "*" } else { segment }
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(check: &str, pointer: &str) -> Key {
        (check.to_owned(), "getThing".to_owned(), pointer.to_owned())
    }

    #[test]
    fn findings_outside_the_list_are_unknown() {
        let list = [Finding {
            check: "schema-type".to_owned(),
            operation: "getThing".to_owned(),
            pointer: "/*/name".to_owned(),
            verdict: Verdict::True,
            reason: "null".to_owned(),
        }];
        let known = key("schema-type", &starred("/0/name"));
        let outcome = compare(&list, &BTreeSet::from([known.clone()]));
        assert!(outcome.is_reviewed() && outcome.gone == 0);
        let nested = key("schema-type", "/text-1/name");
        let outcome = compare(&list, &BTreeSet::from([nested]));
        assert!(outcome.is_reviewed(), "a star stands for any segment");
        let other = key("schema-type", "/*/id");
        let outcome = compare(&list, &BTreeSet::from([known, other.clone()]));
        assert_eq!(outcome.unknown, BTreeSet::from([other]));
        assert!(!outcome.is_reviewed());
    }
}
