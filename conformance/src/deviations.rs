//! Known deviations: differences that the user accepts, each with a reason and a last day.
//!
//! Differences outside the list count. Entries that have expired, or whose difference no longer
//! occurs, count too.

use std::collections::BTreeSet;

use crate::spelling::suggestion;
use std::fmt::Write as _;
use std::path::Path;

use openapi_document::Pointer;
use serde::Deserialize;

use crate::case::CaseName;
use crate::checks;
use crate::event::CaseReport;
use crate::judge::Difference;
use crate::level::Verdict;

/// How long an accepted deviation is valid, in days.
const TERM: i64 = 90;

/// The area of findings about the list itself.
pub const AREA: &str = "deviations";

/// The finding for an entry whose difference did not occur.
pub const UNUSED: &str = "the server no longer differs here: take the entry out";

/// The content of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(default)]
    deviation: Vec<toml::Spanned<Entry>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    check: String,
    operation: String,
    #[serde(default)]
    pointer: String,
    reason: String,
    expires: toml::value::Datetime,
}

/// One known deviation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// The id of the check.
    pub check: String,
    /// The operation.
    pub operation: String,
    /// The place in the body; `*` stands for any index.
    pub pointer: String,
    /// The reason for accepting it.
    pub reason: String,
    /// The last day on which it is valid, `YYYY-MM-DD`.
    pub expires: String,
    /// The line of the entry in the file.
    pub line: usize,
}

/// The known deviations of a server, and those that occurred in the run.
#[derive(Debug, Clone, Default)]
pub struct Known {
    file: String,
    /// The day of the run.
    today: String,
    list: Vec<Deviation>,
    seen: BTreeSet<usize>,
}

/// Every mistake in the file.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DeviationsError(String);

impl Known {
    /// Reads a file. `operations` are the operations of the document.
    ///
    /// # Errors
    /// The file cannot be read, or has mistakes. Reports all of them with their lines.
    pub fn read(path: &Path, operations: &[String], today: &str) -> Result<Self, DeviationsError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| {
            DeviationsError(format!(
                "failed to read {file}: {error}; `--accept` writes it"
            ))
        })?;
        Self::parse(&file, &text, operations, today)
    }

    fn parse(
        file: &str,
        text: &str,
        operations: &[String],
        today: &str,
    ) -> Result<Self, DeviationsError> {
        let line_of = |at: usize| {
            text.get(..at)
                .map_or(1, |item| item.matches('\n').count() + 1)
        };
        let content: Content = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            DeviationsError(format!("{file}:{line}: {}", error.message()))
        })?;
        let mut mistakes = String::new();
        let mut list: Vec<Deviation> = Vec::new();
        for entry in content.deviation {
            let line = line_of(entry.span().start);
            let new = deviation(entry.into_inner(), line);
            let first = list.iter().find(|other| {
                other.check == new.check
                    && other.operation == new.operation
                    && other.pointer == new.pointer
            });
            let twice = first.map(|first| format!("the same entry is in line {}", first.line));
            for mistake in mistakes_of(&new, operations).into_iter().chain(twice) {
                // Writing to a string does not fail.
                let _ = writeln!(mistakes, "{file}:{line}: {mistake}");
            }
            list.push(new);
        }
        if !mistakes.is_empty() {
            return Err(DeviationsError(mistakes.trim_end().to_owned()));
        }
        Ok(Self {
            file: file.to_owned(),
            today: today.to_owned(),
            list,
            seen: BTreeSet::new(),
        })
    }

    /// Marks the known differences of a case and computes its verdict again.
    pub fn mark(&mut self, case: &mut CaseReport) {
        for difference in &mut case.differences {
            let known = self.list.iter().position(|deviation| {
                deviation.covers(&case.operation_id, difference) && deviation.expires >= self.today
            });
            if let Some(index) = known {
                self.seen.insert(index);
                difference.known = Some(self.list[index].reason.clone());
            } else if let Some(index) = self.stale(&case.operation_id, difference) {
                self.seen.insert(index);
            }
        }
        if matches!(case.verdict, Verdict::Warn | Verdict::Fail) {
            let unknown = case
                .differences
                .iter()
                .filter(|difference| difference.known.is_none());
            case.verdict = Verdict::of(unknown.map(|difference| difference.level));
        }
    }

    fn stale(&self, operation: &str, difference: &Difference) -> Option<usize> {
        let covers = |deviation: &Deviation| deviation.covers(operation, difference);
        self.list.iter().position(covers)
    }

    /// Reports expired entries, and entries whose operation ran without the difference. In a shard
    /// the latter are skips, because another shard may have seen the difference; `merge` decides.
    pub fn settle(&self, ran: &BTreeSet<String>, is_shard: bool) -> Vec<CaseReport> {
        let mut cases = Vec::new();
        for (index, deviation) in self.list.iter().enumerate() {
            let is_late = deviation.expires < self.today;
            let reason = if is_late {
                format!("it expired on {}: {}", deviation.expires, deviation.reason)
            } else if !self.seen.contains(&index) && ran.contains(&deviation.operation) {
                UNUSED.to_owned()
            } else {
                continue;
            };
            let name = CaseName {
                id: format!(
                    "deviations/{}/{}{}",
                    deviation.operation, deviation.check, deviation.pointer
                ),
                operation: deviation.operation.clone(),
                area: AREA.to_owned(),
            };
            let verdict = if is_shard && !is_late {
                Verdict::Skip
            } else {
                Verdict::Fail
            };
            let reason = format!("{}:{}: {reason}", self.file, deviation.line);
            cases.push(CaseReport::unsent(&name, verdict, reason));
        }
        cases
    }
}

impl Deviation {
    fn covers(&self, operation: &str, difference: &Difference) -> bool {
        self.operation == operation
            && self.check == difference.check.id
            && covers(&self.pointer, &difference.pointer)
    }
}

/// Whether a known pointer, in which `*` stands for any index, covers a pointer.
pub(crate) fn covers(known: &str, pointer: &str) -> bool {
    let is_index = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let pairs = known.split('/').zip(pointer.split('/'));
    known.split('/').count() == pointer.split('/').count()
        && pairs
            .into_iter()
            .all(|(one, other)| one == other || (one == "*" && is_index(other)))
}

fn deviation(entry: Entry, line: usize) -> Deviation {
    let expires = match (entry.expires.date, entry.expires.time) {
        (Some(date), None) => date.to_string(),
        _ => String::new(),
    };
    Deviation {
        check: entry.check,
        operation: entry.operation,
        pointer: entry.pointer,
        reason: entry.reason,
        expires,
        line,
    }
}

fn mistakes_of(deviation: &Deviation, operations: &[String]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let known: Vec<&str> = checks::ALL.iter().map(|check| check.id).collect();
    if !known.contains(&deviation.check.as_str()) {
        let hint = suggestion(&deviation.check, known.into_iter());
        mistakes.push(format!("there is no check `{}`{hint}", deviation.check));
    }
    let named: Vec<&str> = operations.iter().map(String::as_str).collect();
    if !named.contains(&deviation.operation.as_str()) {
        let hint = suggestion(&deviation.operation, named.into_iter());
        mistakes.push(format!(
            "there is no operation `{}`{hint}",
            deviation.operation
        ));
    }
    if Pointer::parse(&deviation.pointer).is_none() || deviation.pointer.starts_with('#') {
        mistakes.push(format!(
            "`{}` is not a JSON pointer, which begins with `/`",
            deviation.pointer
        ));
    }
    if deviation.reason.trim().is_empty() {
        mistakes.push("the reason is empty".to_owned());
    }
    if deviation.expires.is_empty() {
        mistakes.push("`expires` is not a day: write YYYY-MM-DD".to_owned());
    }
    mistakes
}

/// The entries that make the differences of these cases known, as text for the file.
pub fn accepted(cases: &[CaseReport], today: &str) -> String {
    let expires = today
        .parse::<jiff::civil::Date>()
        .ok()
        .and_then(|today| today.checked_add(jiff::Span::new().days(TERM)).ok());
    let Some(expires) = expires else {
        return String::new();
    };
    let mut written = BTreeSet::new();
    let mut text = String::new();
    for case in cases {
        for difference in case
            .differences
            .iter()
            .filter(|difference| difference.known.is_none())
        {
            let place = (&case.operation_id, difference.check.id, &difference.pointer);
            if !written.insert(place) {
                continue;
            }
            let string = |text: &str| toml::Value::String(text.to_owned()).to_string();
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "\n[[deviation]]\ncheck = {}\noperation = {}\npointer = {}\nreason = {}\nexpires = {expires}\n",
                string(difference.check.id),
                string(&case.operation_id),
                string(&difference.pointer),
                string(&format!(
                    "accepted on {today}: {} instead of {}",
                    difference.actual, difference.expected
                )),
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::spot::Spot;

    const FILE: &str = "\
[[deviation]]
check = \"status-code\"
operation = \"pay\"
reason = \"the gateway answers so\"
expires = 2026-12-31

[[deviation]]
check = \"json-type\"
operation = \"pay\"
pointer = \"/items/*/amount\"
reason = \"numbers until the next version\"
expires = 2026-01-01
";

    fn known() -> Known {
        Known::parse("d.toml", FILE, &["pay".to_owned()], "2026-06-01").unwrap()
    }

    fn case(check: &'static checks::Check, pointer: &str) -> CaseReport {
        let name = CaseName {
            id: "pay/200/a".to_owned(),
            operation: "pay".to_owned(),
            area: "a".to_owned(),
        };
        let mut case = CaseReport::unsent(&name, Verdict::Fail, "");
        case.differences.push(Difference {
            check,
            level: Level::Must,
            pointer: pointer.to_owned(),
            place: pointer.to_owned(),
            expected: "a".to_owned(),
            actual: "b".to_owned(),
            answer: None,
            because: Vec::new(),
            spec: Spot {
                file: "f".to_owned(),
                line: 1,
                column: None,
            },
            curl: String::new(),
            requirement: String::new(),
            known: None,
        });
        case
    }

    #[test]
    fn known_differences_do_not_count_and_stale_ones_do() {
        let mut known = known();
        let mut covered = case(&checks::STATUS_CODE, "");
        known.mark(&mut covered);
        assert_eq!(covered.verdict, Verdict::Pass);
        assert_eq!(
            covered.differences[0].known.as_deref(),
            Some("the gateway answers so")
        );
        for (check, pointer) in [
            (&checks::STATUS_CODE, "/a"),
            (&checks::ECHO, ""),
            // An expired entry.
            (&checks::JSON_TYPE, "/items/3/amount"),
        ] {
            let mut uncovered = case(check, pointer);
            known.mark(&mut uncovered);
            assert_eq!(uncovered.verdict, Verdict::Fail, "{} {pointer}", check.id);
        }
        let ran = BTreeSet::from(["pay".to_owned()]);
        let ids = |known: &Known| -> Vec<String> {
            known
                .settle(&ran, false)
                .into_iter()
                .map(|item| item.id)
                .collect()
        };
        assert_eq!(ids(&known), ["deviations/pay/json-type/items/*/amount"]);
        assert_eq!(ids(&super::tests::known()).len(), 2, "one is unused");
        assert_eq!(
            super::tests::known().settle(&BTreeSet::new(), false).len(),
            1
        );
        let of_shard = super::tests::known().settle(&ran, true);
        let verdicts: Vec<Verdict> = of_shard.iter().map(|item| item.verdict).collect();
        assert_eq!(verdicts, [Verdict::Skip, Verdict::Fail]);
    }

    #[test]
    fn all_mistakes_are_reported_together() {
        let text = FILE
            .replace("status-code", "status-cod")
            .replace("\"/items/*/amount\"", "\"items\"")
            .replace("\"the gateway answers so\"", "\" \"");
        let error = Known::parse("d.toml", &text, &["pays".to_owned()], "2026-06-01").unwrap_err();
        let message = error.to_string();
        for part in [
            "d.toml:1: there is no check `status-cod`; did you mean `status-code`?",
            "d.toml:1: there is no operation `pay`",
            "d.toml:1: the reason is empty",
            "d.toml:7: `items` is not a JSON pointer",
        ] {
            assert!(message.contains(part), "{message}");
        }
        let typo = FILE.replace("expires = 2026-12-31", "expire = 2026-12-31");
        let message = Known::parse("d.toml", &typo, &[], "2026-06-01")
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("d.toml:") && message.contains("expire"),
            "{message}"
        );
    }

    #[test]
    fn accepted_differences_are_known_in_the_next_run() {
        let found = [case(&checks::STATUS_CODE, ""), case(&checks::ECHO, "/a")];
        let text = accepted(&found, "2026-06-01");
        let mut known = Known::parse("d.toml", &text, &["pay".to_owned()], "2026-08-30").unwrap();
        for mut case in found {
            known.mark(&mut case);
            assert_eq!(case.verdict, Verdict::Pass);
        }
        assert!(
            known
                .settle(&BTreeSet::from(["pay".to_owned()]), false)
                .is_empty()
        );
    }
}
