//! Every rule that a finding can have, whichever crate it is of.

use openapi_lint::Rule as LintRule;
use serde::Serialize;

use crate::axes::{Axes, axes, level};
use crate::level::Level;

/// Who finds something by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Reading the document.
    Read,
    /// `contract lint`.
    Lint,
    /// `contract diff`.
    Diff,
    /// The gate itself: baseline and versions.
    Gate,
    /// `contract generate`.
    Generate,
}

impl Family {
    /// The family as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Lint => "lint",
            Self::Diff => "diff",
            Self::Gate => "gate",
            Self::Generate => "generate",
        }
    }
}

/// A rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its name in kebab-case; kept for ever.
    pub id: &'static str,
    /// Who finds something by it.
    pub family: Family,
    /// What its findings weigh where nothing else is said.
    pub level: Level,
    /// What it is about, in one sentence.
    pub summary: &'static str,
    /// The axes, of a rule of diff.
    pub axes: Option<Axes>,
}

/// A rule of the gate or of reading; their findings are made here and by the loader.
const fn own(family: Family, id: &'static str, level: Level, summary: &'static str) -> Rule {
    Rule {
        id,
        family,
        level,
        summary,
        axes: None,
    }
}

/// An entry of the baseline matches no finding.
pub const STALE: &str = "baseline-entry-stale";
/// An entry of the baseline is out of date.
pub const EXPIRED: &str = "baseline-entry-expired";
/// The version of the contract was not raised as far as its changes ask for.
pub const VERSION: &str = "version-not-raised";
/// The contract changed in wording only, and its version did not.
pub const SAME_VERSION: &str = "version-unchanged";
/// The version of the generated crate was not raised as far as its changes ask for.
pub const CRATE_VERSION: &str = "crate-version-not-raised";

const OWN: &[Rule] = &[
    own(
        Family::Read,
        "malformed-json",
        Level::Error,
        "The text is not JSON",
    ),
    own(
        Family::Read,
        "malformed-yaml",
        Level::Error,
        "The text is not YAML, or says what JSON cannot",
    ),
    own(
        Family::Read,
        "overlay-not-applicable",
        Level::Error,
        "An action of an overlay does not fit the values that it selects",
    ),
    own(
        Family::Read,
        "overlay-not-valid",
        Level::Error,
        "An overlay is not of the form that its specification gives it",
    ),
    own(
        Family::Read,
        "overlay-without-effect",
        Level::Warning,
        "An action of an overlay selects nothing, or says of no change",
    ),
    own(
        Family::Read,
        "unreadable-file",
        Level::Error,
        "A file is not there or cannot be read",
    ),
    own(
        Family::Read,
        "unreadable-revision",
        Level::Error,
        "There is no such revision in the repository, or no such file in it",
    ),
    own(
        Family::Read,
        "unsupported-version",
        Level::Error,
        "The document is not OpenAPI, or of a version that is not read",
    ),
    own(
        Family::Gate,
        EXPIRED,
        Level::Error,
        "An entry of the baseline is out of date: mend what it accepts, or decide anew",
    ),
    own(
        Family::Gate,
        STALE,
        Level::Error,
        "An entry of the baseline matches no finding: take it out",
    ),
    own(
        Family::Gate,
        CRATE_VERSION,
        Level::Error,
        "The generated crate changed, and its version has to be raised further",
    ),
    own(
        Family::Gate,
        VERSION,
        Level::Error,
        "The contract changed, and `info.version` has to be raised further",
    ),
    own(
        Family::Gate,
        SAME_VERSION,
        Level::Info,
        "The contract changed in a way that binds nobody, and `info.version` is as it was",
    ),
];

/// All rules, by family and name.
pub fn all() -> Vec<Rule> {
    let mut rules = OWN.to_vec();
    let lint = LintRule::all();
    rules.extend(lint.map(|rule| own(Family::Lint, rule.id, rule.default.into(), rule.summary)));
    rules.extend(openapi_diff::rules().iter().map(|rule| Rule {
        axes: Some(axes(rule)),
        ..own(Family::Diff, rule.id, level(rule.level), rule.summary)
    }));
    rules.extend(codegen::rules::RULES.iter().map(|rule| Rule {
        level: rule.severity.into(),
        ..own(Family::Generate, rule.id, Level::Warning, rule.summary)
    }));
    rules.sort_by_key(|rule| (rule.family, rule.id));
    rules.dedup_by_key(|rule| (rule.family, rule.id));
    rules
}

/// The rules of a name: a rule of lint may have a counterpart in the generator.
pub fn find(id: &str) -> Vec<Rule> {
    let mut rules = all();
    rules.retain(|rule| rule.id == id);
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_for_what_they_find() {
        for rule in all() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(rule.id.chars().all(plain), "{}", rule.id);
            assert!(
                !rule.summary.is_empty() && !rule.summary.ends_with('.'),
                "{}",
                rule.id
            );
        }
    }
}
