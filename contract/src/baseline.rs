//! Baseline: accepted findings, each with a reason and an end date.
//!
//! Findings that it does not list count. Entries that are expired, or that match no finding, are
//! findings themselves.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use jiff::civil::Date;
use openapi_document::{SourceMap, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::catalogue::{self, EXPIRED, Family, STALE};
use crate::finding::{Accepted, Finding, Place, Side};
use crate::fingerprint;
use crate::level::Level;
use crate::levels;
use crate::problems::Problems;
use crate::report::Report;
use crate::toml_file::TomlFile;

/// The default file name; the file is optional.
pub const NAME: &str = "contract.baseline.toml";

/// The default number of days until an entry expires.
pub const TERM: i64 = 90;

const RULE: &str = "baseline";
const KEYS: &[&str] = &["fingerprint", "rule", "where", "reason", "expires"];

/// One accepted finding.
#[derive(Debug, Clone)]
struct Entry {
    fingerprint: String,
    rule: String,
    reason: String,
    expires: String,
    span: Span,
}

/// The accepted findings.
#[derive(Debug, Default)]
pub struct Baseline {
    entries: Vec<Entry>,
    sources: SourceMap,
}

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// The file cannot be read, or has errors; all errors are listed.
    pub fn read(path: &Path) -> Result<Self, Problems> {
        let (file, text) = TomlFile::read(path, RULE)?;
        Self::of(file, &text)
    }

    fn of(mut file: TomlFile, text: &str) -> Result<Self, Problems> {
        let mut entries: Vec<Entry> = Vec::new();
        let rules = catalogue::all();
        for (key, value) in file.table(text) {
            if key.get_ref() != "finding" {
                file.unknown_key(key.get_ref(), key.span(), &["finding"]);
                continue;
            }
            for (range, table) in tables(&value) {
                let Some(entry) = entry(&mut file, range.clone(), table) else {
                    continue;
                };
                if !rules.iter().any(|rule| rule.id == entry.rule) {
                    let help = levels::suggestion(&entry.rule, &rules);
                    let help = help.unwrap_or_else(|| "`contract explain` lists them".to_owned());
                    let title = format!("there is no rule `{}`", entry.rule);
                    let range = place_of(table, "rule").unwrap_or(range.clone());
                    file.wrong(range, title, "this rule", Some(help));
                }
                if entries
                    .iter()
                    .any(|known| known.fingerprint == entry.fingerprint)
                {
                    let title = format!("`{}` is accepted twice", entry.fingerprint);
                    file.wrong(
                        range,
                        title,
                        "the second",
                        Some("remove one of them".to_owned()),
                    );
                }
                entries.push(entry);
            }
        }
        let sources = file.problems.sources.clone();
        file.finish(Self { entries, sources })
    }

    /// Marks accepted findings, and adds findings about expired and stale entries. Only entries of
    /// the judged families can be stale.
    pub fn apply(&self, report: &mut Report, judged: &[Family], today: Date) {
        let today = today.to_string();
        let mut seen = BTreeSet::new();
        for finding in &mut report.findings {
            let Some(index) = self.entries.iter().position(|entry| entry.covers(finding)) else {
                continue;
            };
            seen.insert(index);
            let entry = &self.entries[index];
            if entry.expires >= today {
                finding.accepted = Some(Accepted {
                    reason: entry.reason.clone(),
                    expires: entry.expires.clone(),
                });
            }
        }
        for (index, entry) in self.entries.iter().enumerate() {
            let rules = catalogue::find(&entry.rule);
            let is_judged = rules.iter().any(|rule| judged.contains(&rule.family));
            if seen.contains(&index) && entry.expires < today {
                report.findings.push(self.expired(entry));
            } else if !seen.contains(&index) && is_judged && !report.is_unreadable {
                report.findings.push(self.stale(entry));
            }
        }
    }

    fn expired(&self, entry: &Entry) -> Finding {
        let title = format!("the entry expired on {}: {}", entry.expires, entry.reason);
        let help = "fix the finding, or set a later date with a reason";
        self.finding(EXPIRED, entry, title, help)
    }

    fn stale(&self, entry: &Entry) -> Finding {
        let title = format!(
            "no finding matches the entry `{}` of `{}`",
            entry.fingerprint, entry.rule
        );
        self.finding(STALE, entry, title, "remove the entry")
    }

    fn finding(&self, rule: &'static str, entry: &Entry, title: String, help: &str) -> Finding {
        let place = Place::new(&self.sources, entry.span, "", Side::Revision, None);
        Finding {
            fingerprint: fingerprint::of(rule, None, &entry.fingerprint, ""),
            rule,
            level: Level::Error,
            title,
            operation: None,
            subject: entry.fingerprint.clone(),
            reach: Vec::new(),
            axes: None,
            part: RULE.to_owned(),
            places: vec![place],
            help: Some(help.to_owned()),
            accepted: None,
        }
    }
}

impl Entry {
    fn covers(&self, finding: &Finding) -> bool {
        self.fingerprint == finding.fingerprint && self.rule == finding.rule
    }
}

type Tables<'v, 't> = Vec<(std::ops::Range<usize>, &'v DeTable<'t>)>;

fn tables<'v, 't>(value: &'v Spanned<DeValue<'t>>) -> Tables<'v, 't> {
    let table = |item: &'v Spanned<DeValue<'t>>| match item.get_ref() {
        DeValue::Table(table) => Some((item.span(), table)),
        _ => None,
    };
    match value.get_ref() {
        DeValue::Array(items) => items.iter().filter_map(table).collect(),
        _ => table(value).into_iter().collect(),
    }
}

fn place_of(table: &DeTable<'_>, key: &str) -> Option<std::ops::Range<usize>> {
    let mut entries = table.iter();
    entries
        .find(|(name, _)| name.get_ref() == key)
        .map(|(_, value)| value.span())
}

fn entry(file: &mut TomlFile, range: std::ops::Range<usize>, table: &DeTable<'_>) -> Option<Entry> {
    let mut found: [Option<String>; 4] = Default::default();
    let [fingerprint, rule, reason, expires] = &mut found;
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "fingerprint" => *fingerprint = file.string(value, "fingerprint"),
            "rule" => *rule = file.string(value, "rule"),
            "reason" => *reason = reason_of(file, value),
            "expires" => *expires = day(file, value),
            // For people only: the fingerprint identifies the finding.
            "where" => {}
            other => file.unknown_key(other, key.span(), KEYS),
        }
    }
    for key in ["fingerprint", "rule", "reason", "expires"] {
        if place_of(table, key).is_none() {
            let title = format!("the entry has no `{key}`");
            file.wrong(range.clone(), title, "this entry", None);
        }
    }
    let [fingerprint, rule, reason, expires] = found;
    Some(Entry {
        fingerprint: fingerprint?,
        rule: rule?,
        reason: reason?,
        expires: expires?,
        span: file.span(range),
    })
}

fn reason_of(file: &mut TomlFile, value: &Spanned<DeValue<'_>>) -> Option<String> {
    let reason = file.string(value, "reason")?;
    if reason.trim().is_empty() {
        let help = "give a reason why the finding is accepted".to_owned();
        file.wrong(value.span(), "the reason is empty", "nothing", Some(help));
        return None;
    }
    Some(reason)
}

/// A date, as a TOML date or a string.
fn day(file: &mut TomlFile, value: &Spanned<DeValue<'_>>) -> Option<String> {
    let text = match value.get_ref() {
        DeValue::Datetime(day) => day.to_string(),
        DeValue::String(text) => text.to_string(),
        _ => String::new(),
    };
    let day = text.parse::<Date>().ok();
    if day.is_none() || text.len() != "YYYY-MM-DD".len() {
        let help = "write it as 2027-01-31".to_owned();
        file.wrong(value.span(), "`expires` is not a date", "this", Some(help));
        return None;
    }
    Some(text)
}

/// The entries that would accept all findings that fail the report.
pub fn accepting(report: &Report, reason: &str, expires: Date) -> String {
    let mut text = String::new();
    let found = report.findings.iter();
    let about_entries = [STALE, EXPIRED];
    for finding in found.filter(|one| report.fails(one) && !about_entries.contains(&one.rule)) {
        let operation = finding.operation.as_deref().unwrap_or_default();
        let note = format!("{operation} {}", finding.subject);
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n[[finding]]\nfingerprint = {}\nrule = {}\nwhere = {}\nreason = {}\nexpires = {expires}\n",
            quoted(&finding.fingerprint),
            quoted(finding.rule),
            quoted(note.trim()),
            quoted(reason),
        );
    }
    text
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Task;

    const TODAY: &str = "2026-06-01";

    fn finding(rule: &'static str, fingerprint: &str) -> Finding {
        Finding {
            fingerprint: fingerprint.to_owned(),
            rule,
            level: Level::Error,
            title: "a \"title\"".to_owned(),
            operation: None,
            subject: "info".to_owned(),
            reach: Vec::new(),
            axes: None,
            part: "info".to_owned(),
            places: Vec::new(),
            help: None,
            accepted: None,
        }
    }

    fn report(findings: Vec<Finding>) -> Report {
        Report {
            findings,
            ..Report::new(Task::Lint, Some(Level::Error))
        }
    }

    fn read(text: &str) -> Result<Baseline, Problems> {
        let path = Path::new("b.toml");
        let (file, text) = TomlFile::of(path, text, RULE);
        Baseline::of(file, &text)
    }

    fn judged(text: &str, findings: Vec<Finding>, families: &[Family]) -> Vec<(String, bool)> {
        let mut report = report(findings);
        let baseline = read(text).unwrap();
        baseline.apply(&mut report, families, TODAY.parse().unwrap());
        let rules = report.findings.iter();
        rules
            .map(|finding| (finding.rule.to_owned(), finding.counts()))
            .collect()
    }

    #[test]
    fn an_accepted_finding_does_not_count_until_it_expires() {
        let found = || finding("unknown-key", "0123456789ab");
        let date = |day: &str| day.parse().unwrap();
        let text = accepting(&report(vec![found()]), "it \"is\" so", date(TODAY));
        let accepted = ("unknown-key".to_owned(), false);
        assert_eq!(judged(&text, vec![found()], &[Family::Lint]), [accepted]);
        let stale = [(STALE.to_owned(), true)];
        assert_eq!(judged(&text, Vec::new(), &[Family::Lint]), stale);
        assert_eq!(judged(&text, Vec::new(), &[Family::Diff]), []);
        let text = accepting(&report(vec![found()]), "it is so", date("2026-05-31"));
        let expired = [("unknown-key".to_owned(), true), (EXPIRED.to_owned(), true)];
        assert_eq!(judged(&text, vec![found()], &[Family::Lint]), expired);
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let text = "[[finding]]\nfingerprint = \"a\"\nrule = \"unknown-kez\"\nreason = \" \"\n\
                    expires = 2026-13-01\n[[finding]]\nfingerprint = \"b\"\nrules = \"x\"\n\
                    [[finding]]\nfingerprint = \"c\"\nrule = \"unknwn-key\"\nreason = \"r\"\n\
                    expires = 2026-12-01\n";
        let rendered = read(text).unwrap_err().render(false);
        for part in [
            "the reason is empty",
            "there is no key `rules`",
            "the entry has no `rule`",
            "the entry has no `expires`",
            "there is no rule `unknwn-key`",
            "did you mean `unknown-key`?",
            "b.toml:11:8",
        ] {
            assert!(rendered.contains(part), "{part} is not in {rendered}");
        }
    }
}
