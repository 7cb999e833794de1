//! Tests that every rule finds its change at the expected lines of both documents, and that the
//! reverse change is found, too.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use openapi_diff::{Change, Contract, Level, Spot, rule, rules};
use openapi_document::Document;
use openapi_document::behaviour::{self, Behaviour};
use serde::Deserialize;

use super::documents::{changes, fill, listed, load};

const FILES: [(&str, &str); 12] = [
    ("bodies", include_str!("cases/bodies.yaml")),
    ("composition", include_str!("cases/composition.yaml")),
    ("constraints", include_str!("cases/constraints.yaml")),
    ("facts", include_str!("cases/facts.yaml")),
    ("keywords", include_str!("cases/keywords.yaml")),
    ("lifecycle", include_str!("cases/lifecycle.yaml")),
    ("operations", include_str!("cases/operations.yaml")),
    ("parameters", include_str!("cases/parameters.yaml")),
    ("properties", include_str!("cases/properties.yaml")),
    ("security", include_str!("cases/security.yaml")),
    ("types", include_str!("cases/types.yaml")),
    ("values", include_str!("cases/values.yaml")),
];

/// A change of one part of a document.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) rule: Vec<String>,
    pub(crate) at: String,
    pub(crate) reverse: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    also_reverse: Vec<String>,
    pub(crate) why: Option<String>,
    level: Option<String>,
    level_reverse: Option<String>,
    #[serde(default)]
    outside: bool,
    /// The behaviour files, if the change is in these.
    behaviour_base: Option<String>,
    behaviour_revision: Option<String>,
    pub(crate) base: String,
    pub(crate) revision: String,
}

/// All cases, each with its file name.
pub(crate) fn all() -> Vec<(&'static str, Case)> {
    let read = |(name, text): &(&'static str, &str)| {
        let cases: Vec<Case> = serde_yaml::from_str(text).unwrap();
        cases
            .into_iter()
            .map(|case| (*name, case))
            .collect::<Vec<_>>()
    };
    FILES.iter().flat_map(read).collect()
}

/// One direction of a case.
struct Way<'c> {
    at: &'c str,
    from: &'c str,
    to: &'c str,
    files: [Option<&'c str>; 2],
    rules: &'c [String],
    also: &'c [String],
    level: Option<&'c str>,
    outside: bool,
}

impl Way<'_> {
    /// The mistakes in the findings.
    fn faults(&self) -> Vec<String> {
        let (old, old_lines) = fill(self.at, self.from, "1.0.0");
        let (new, new_lines) = fill(self.at, self.to, "2.0.0");
        let (base, revision) = (load("base.yaml", &old), load("revision.yaml", &new));
        let files = self.files.map(|text| text.map(behaviour));
        let [base_file, revision_file] = &files;
        let found = changes(
            Contract {
                document: &base,
                behaviour: base_file.as_ref(),
            },
            Contract {
                document: &revision,
                behaviour: revision_file.as_ref(),
            },
        );
        let mut faults = Vec::new();
        let mut ids: Vec<_> = found.iter().map(|change| change.rule.id).collect();
        ids.sort_unstable();
        let mut expected: Vec<_> = self
            .rules
            .iter()
            .chain(self.also)
            .map(String::as_str)
            .collect();
        expected.sort_unstable();
        if ids != expected {
            faults.push(format!("expected {expected:?}, found\n{}", listed(&found)));
        }
        let (removed, added) = hunks(self.from, self.to);
        let shifted = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        let hunks = (
            shifted(removed, old_lines.start),
            shifted(added, new_lines.start),
        );
        for change in found
            .iter()
            .filter(|one| self.rules.iter().any(|id| id == one.rule.id))
        {
            let level = self
                .level
                .and_then(Level::parse)
                .unwrap_or(change.rule.level);
            if change.level != level {
                faults.push(format!(
                    "{} weighs {}, not {level}",
                    change.rule.id, change.level
                ));
            }
            if self.outside {
                continue;
            }
            faults.extend(misplaced(change, &base, change.base.as_ref(), &hunks.0));
            faults.extend(misplaced(
                change,
                &revision,
                change.revision.as_ref(),
                &hunks.1,
            ));
        }
        faults
    }
}

fn behaviour(text: &str) -> Behaviour {
    let text = format!("behaviour: 2.0.0\n{text}");
    behaviour::load_text("behaviour.yaml", &text)
        .unwrap_or_else(|error| panic!("{}\n{text}", error.render(false)))
}

/// The line ranges in which two texts differ.
fn hunks(from: &str, to: &str) -> (Range<usize>, Range<usize>) {
    let (from, to): (Vec<_>, Vec<_>) = (from.lines().collect(), to.lines().collect());
    let shortest = from.len().min(to.len());
    let head = (0..shortest).take_while(|&n| from[n] == to[n]).count();
    let tail = (0..shortest - head)
        .take_while(|&n| from[from.len() - 1 - n] == to[to.len() - 1 - n])
        .count();
    (head..from.len() - tail, head..to.len() - tail)
}

/// An error if a finding does not point at a changed line, or at an enclosing line if no line was
/// changed there.
fn misplaced(
    change: &Change,
    document: &Document,
    spot: Option<&Spot>,
    hunk: &Range<usize>,
) -> Option<String> {
    let Some(spot) = spot else {
        return Some(format!(
            "{} has no place in one of the documents",
            change.rule.id
        ));
    };
    let place = document.place(spot.span);
    let fits = if hunk.is_empty() {
        place.line <= hunk.start
    } else {
        hunk.contains(&place.line)
    };
    let there = document.lookup(&spot.pointer).is_some();
    (!fits || !there).then(|| {
        format!(
            "{} is at {place} ({}), not in {hunk:?}",
            change.rule.id, spot.pointer
        )
    })
}

#[test]
fn every_rule_is_found_at_its_lines_in_both_directions() {
    let mut faults = String::new();
    let mut count = 0;
    for (file, case) in all() {
        let forth = Way {
            at: &case.at,
            from: &case.base,
            to: &case.revision,
            files: [
                case.behaviour_base.as_deref(),
                case.behaviour_revision.as_deref(),
            ],
            rules: &case.rule,
            also: &case.also,
            level: case.level.as_deref(),
            outside: case.outside,
        };
        let back = Way {
            from: &case.revision,
            to: &case.base,
            files: [forth.files[1], forth.files[0]],
            rules: &case.reverse,
            also: &case.also_reverse,
            level: case.level_reverse.as_deref(),
            ..forth
        };
        for (way, name) in [(&forth, "forth"), (&back, "back")] {
            for fault in way.faults() {
                count += 1;
                writeln!(faults, "{file} {:?} {} {name}: {fault}", case.rule, case.at).unwrap();
            }
        }
    }
    assert_eq!(count, 0, "{faults}");
}

#[test]
fn a_case_without_a_reverse_gives_a_reason() {
    for (file, case) in all() {
        assert_eq!(
            case.reverse.is_empty(),
            case.why.is_some(),
            "{file} {:?}",
            case.rule
        );
        for id in case.rule.iter().chain(&case.reverse).chain(&case.also) {
            assert!(rule(id).is_some(), "{file}: no rule {id}");
        }
    }
}

#[test]
fn every_rule_has_a_case() {
    /// Tested elsewhere, because it needs a document that is too large for a case.
    const ELSEWHERE: [&str; 1] = ["comparison-incomplete"];
    let mut tested: BTreeSet<String> = ELSEWHERE.into_iter().map(str::to_owned).collect();
    for (_, case) in all() {
        tested.extend(case.rule);
        tested.extend(case.reverse);
    }
    let all: BTreeSet<String> = rules().iter().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(
        all.difference(&tested).collect::<Vec<_>>(),
        [] as [&String; 0]
    );
}
