//! Known deviations, as data: a difference that somebody knows of, with the reason and the day until
//! which it may stay. What is not listed counts; what is listed and out of date, or no longer there,
//! counts too.

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

/// How long an accepted deviation may stay, in days.
const TERM: i64 = 90;

/// The area that tells of the list itself.
pub const AREA: &str = "deviations";

/// Why an entry that nothing was seen of counts.
pub const UNUSED: &str = "the server no longer differs here: take the entry out";

/// The file's content.
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
    /// Where in the body; `*` in the place of an index stands for each.
    pub pointer: String,
    /// Why it is there.
    pub reason: String,
    /// The last day on which it may be there, `YYYY-MM-DD`.
    pub expires: String,
    /// Where it stands in the file.
    pub line: usize,
}

/// The known deviations of a server, and which of them were seen.
#[derive(Debug, Clone, Default)]
pub struct Known {
    file: String,
    /// The day of the run.
    today: String,
    list: Vec<Deviation>,
    seen: BTreeSet<usize>,
}

/// Why the file cannot be used: everything that is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DeviationsError(String);

impl Known {
    /// Reads a file. Operations are those of the document.
    ///
    /// # Errors
    /// It cannot be read, or something in it is not what it should be; all of it, each with its line.
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
                .map_or(1, |own| own.matches('\n').count() + 1)
        };
        let content: Content = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            DeviationsError(format!("{file}:{line}: {}", error.message()))
        })?;
        let mut mistakes = String::new();
        let mut list: Vec<Deviation> = Vec::new();
        for entry in content.deviation {
            let line = line_of(entry.span().start);
            let own = deviation(entry.into_inner(), line);
            let first = list.iter().find(|other| {
                other.check == own.check
                    && other.operation == own.operation
                    && other.pointer == own.pointer
            });
            let twice = first.map(|first| format!("the same stands in line {}", first.line));
            for mistake in mistakes_of(&own, operations).into_iter().chain(twice) {
                // Writing to a string does not fail.
                let _ = writeln!(mistakes, "{file}:{line}: {mistake}");
            }
            list.push(own);
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

    /// Marks the known differences of a case and weighs the rest.
    pub fn mark(&mut self, case: &mut CaseReport) {
        for difference in &mut case.differences {
            let known = self.list.iter().position(|own| {
                own.covers(&case.operation_id, difference) && own.expires >= self.today
            });
            if let Some(index) = known {
                self.seen.insert(index);
                difference.known = Some(self.list[index].reason.clone());
            } else if let Some(index) = self.stale(&case.operation_id, difference) {
                self.seen.insert(index);
            }
        }
        if matches!(case.verdict, Verdict::Warn | Verdict::Fail) {
            let unknown = case.differences.iter().filter(|own| own.known.is_none());
            case.verdict = Verdict::of(unknown.map(|own| own.level));
        }
    }

    fn stale(&self, operation: &str, difference: &Difference) -> Option<usize> {
        let covers = |own: &Deviation| own.covers(operation, difference);
        self.list.iter().position(covers)
    }

    /// What is wrong with the list itself, once all is decided: entries that are out of date, and entries
    /// of operations that ran for which nothing was seen. Of a shard the latter are skips, since another
    /// one may have seen them: who puts the reports together decides.
    pub fn settle(&self, ran: &BTreeSet<String>, is_shard: bool) -> Vec<CaseReport> {
        let mut cases = Vec::new();
        for (index, own) in self.list.iter().enumerate() {
            let is_late = own.expires < self.today;
            let reason = if is_late {
                format!("it was to be gone by {}: {}", own.expires, own.reason)
            } else if !self.seen.contains(&index) && ran.contains(&own.operation) {
                UNUSED.to_owned()
            } else {
                continue;
            };
            let name = CaseName {
                id: format!("deviations/{}/{}{}", own.operation, own.check, own.pointer),
                operation: own.operation.clone(),
                area: AREA.to_owned(),
            };
            let verdict = if is_shard && !is_late {
                Verdict::Skip
            } else {
                Verdict::Fail
            };
            let reason = format!("{}:{}: {reason}", self.file, own.line);
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

/// Whether a pointer is meant by one in which `*` stands for any index.
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

fn mistakes_of(own: &Deviation, operations: &[String]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let known: Vec<&str> = checks::ALL.iter().map(|check| check.id).collect();
    if !known.contains(&own.check.as_str()) {
        let hint = suggestion(&own.check, known.into_iter());
        mistakes.push(format!("there is no check `{}`{hint}", own.check));
    }
    let named: Vec<&str> = operations.iter().map(String::as_str).collect();
    if !named.contains(&own.operation.as_str()) {
        let hint = suggestion(&own.operation, named.into_iter());
        mistakes.push(format!("there is no operation `{}`{hint}", own.operation));
    }
    if Pointer::parse(&own.pointer).is_none() || own.pointer.starts_with('#') {
        mistakes.push(format!(
            "`{}` is no JSON pointer: it begins with `/`",
            own.pointer
        ));
    }
    if own.reason.trim().is_empty() {
        mistakes.push("the reason is empty".to_owned());
    }
    if own.expires.is_empty() {
        mistakes.push("`expires` is no day: write YYYY-MM-DD".to_owned());
    }
    mistakes
}

/// The entries that would make what was found known, to be added to a file.
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
        for difference in case.differences.iter().filter(|own| own.known.is_none()) {
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
        let mut own = case(&checks::STATUS_CODE, "");
        known.mark(&mut own);
        assert_eq!(own.verdict, Verdict::Pass);
        assert_eq!(
            own.differences[0].known.as_deref(),
            Some("the gateway answers so")
        );
        for (check, pointer) in [
            (&checks::STATUS_CODE, "/a"),
            (&checks::ECHO, ""),
            // Out of date.
            (&checks::JSON_TYPE, "/items/3/amount"),
        ] {
            let mut own = case(check, pointer);
            known.mark(&mut own);
            assert_eq!(own.verdict, Verdict::Fail, "{} {pointer}", check.id);
        }
        let ran = BTreeSet::from(["pay".to_owned()]);
        let ids = |known: &Known| -> Vec<String> {
            known
                .settle(&ran, false)
                .into_iter()
                .map(|own| own.id)
                .collect()
        };
        assert_eq!(ids(&known), ["deviations/pay/json-type/items/*/amount"]);
        assert_eq!(ids(&super::tests::known()).len(), 2, "one is unused");
        assert_eq!(
            super::tests::known().settle(&BTreeSet::new(), false).len(),
            1
        );
        let of_shard = super::tests::known().settle(&ran, true);
        let verdicts: Vec<Verdict> = of_shard.iter().map(|own| own.verdict).collect();
        assert_eq!(verdicts, [Verdict::Skip, Verdict::Fail]);
    }

    #[test]
    fn mistakes_are_told_all_at_once() {
        let text = FILE
            .replace("status-code", "status-cod")
            .replace("\"/items/*/amount\"", "\"items\"")
            .replace("\"the gateway answers so\"", "\" \"");
        let error = Known::parse("d.toml", &text, &["pays".to_owned()], "2026-06-01").unwrap_err();
        let told = error.to_string();
        for part in [
            "d.toml:1: there is no check `status-cod`; did you mean `status-code`?",
            "d.toml:1: there is no operation `pay`",
            "d.toml:1: the reason is empty",
            "d.toml:7: `items` is no JSON pointer",
        ] {
            assert!(told.contains(part), "{told}");
        }
        let typo = FILE.replace("expires = 2026-12-31", "expire = 2026-12-31");
        let told = Known::parse("d.toml", &typo, &[], "2026-06-01")
            .unwrap_err()
            .to_string();
        assert!(
            told.contains("d.toml:") && told.contains("expire"),
            "{told}"
        );
    }

    #[test]
    fn what_is_accepted_is_known_the_next_time() {
        let found = [case(&checks::STATUS_CODE, ""), case(&checks::ECHO, "/a")];
        let text = accepted(&found, "2026-06-01");
        let mut known = Known::parse("d.toml", &text, &["pay".to_owned()], "2026-08-30").unwrap();
        for mut own in found {
            known.mark(&mut own);
            assert_eq!(own.verdict, Verdict::Pass);
        }
        assert!(
            known
                .settle(&BTreeSet::from(["pay".to_owned()]), false)
                .is_empty()
        );
    }
}
