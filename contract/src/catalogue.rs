//! Catalogue: all rules of findings, from all crates.

use openapi_lint::Rule as LintRule;
use serde::Serialize;

use crate::axes::{Axes, axes, level};
use crate::level::Level;

/// The command or phase that applies a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Loading the document.
    Read,
    /// `contract lint`.
    Lint,
    /// `contract diff`.
    Diff,
    /// The gate: baseline and versions.
    Gate,
    /// `contract generate`.
    Generate,
}

impl Family {
    /// The word for the family.
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
    /// The id in kebab-case; it never changes.
    pub id: &'static str,
    /// The command or phase that applies a rule.
    pub family: Family,
    /// The default level.
    pub level: Level,
    /// What it finds, in one sentence.
    pub summary: &'static str,
    /// The axes of a rule of diff; `None` for other rules.
    pub axes: Option<Axes>,
}

/// A rule of the gate or the loader.
const fn plain_rule(family: Family, id: &'static str, level: Level, summary: &'static str) -> Rule {
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
/// An entry of the baseline is expired.
pub const EXPIRED: &str = "baseline-entry-expired";
/// The contract's version was not increased as its changes require.
pub const VERSION: &str = "version-not-raised";
/// Only texts of the contract changed, and its version did not.
pub const SAME_VERSION: &str = "version-unchanged";
/// The version of the generated crate was not increased as its changes require.
pub const CRATE_VERSION: &str = "crate-version-not-raised";

const GATE_RULES: &[Rule] = &[
    plain_rule(
        Family::Read,
        "malformed-json",
        Level::Error,
        "The text is not JSON",
    ),
    plain_rule(
        Family::Read,
        "malformed-yaml",
        Level::Error,
        "The text is not YAML, or uses features that JSON lacks",
    ),
    plain_rule(
        Family::Read,
        "overlay-not-applicable",
        Level::Error,
        "An action of an overlay does not fit the values that it selects",
    ),
    plain_rule(
        Family::Read,
        "overlay-not-valid",
        Level::Error,
        "An overlay does not follow its specification",
    ),
    plain_rule(
        Family::Read,
        "overlay-without-effect",
        Level::Warning,
        "An action of an overlay selects nothing, or states no change",
    ),
    plain_rule(
        Family::Read,
        "unreadable-file",
        Level::Error,
        "A file does not exist or cannot be read",
    ),
    plain_rule(
        Family::Read,
        "unreadable-revision",
        Level::Error,
        "The revision, or the file in it, does not exist in the repository",
    ),
    plain_rule(
        Family::Read,
        "unsupported-version",
        Level::Error,
        "The document is not OpenAPI, or has an unsupported version",
    ),
    plain_rule(
        Family::Gate,
        EXPIRED,
        Level::Error,
        "An entry of the baseline is expired: fix the finding, or set a new date",
    ),
    plain_rule(
        Family::Gate,
        STALE,
        Level::Error,
        "An entry of the baseline matches no finding: remove it",
    ),
    plain_rule(
        Family::Gate,
        CRATE_VERSION,
        Level::Error,
        "The generated crate changed, and its version must be increased further",
    ),
    plain_rule(
        Family::Gate,
        VERSION,
        Level::Error,
        "The contract changed, and `info.version` must be increased further",
    ),
    plain_rule(
        Family::Gate,
        SAME_VERSION,
        Level::Info,
        "Only texts of the contract changed, and `info.version` did not change",
    ),
];

/// All rules, by family and name.
pub fn all() -> Vec<Rule> {
    let mut rules = GATE_RULES.to_vec();
    let lint = LintRule::all();
    rules.extend(
        lint.map(|rule| plain_rule(Family::Lint, rule.id, rule.default.into(), rule.summary)),
    );
    rules.extend(openapi_diff::rules().iter().map(|rule| Rule {
        axes: Some(axes(rule)),
        ..plain_rule(Family::Diff, rule.id, level(rule.level), rule.summary)
    }));
    rules.extend(codegen::rules::RULES.iter().map(|rule| Rule {
        level: rule.severity.into(),
        ..plain_rule(Family::Generate, rule.id, Level::Warning, rule.summary)
    }));
    rules.sort_by_key(|rule| (rule.family, rule.id));
    rules.dedup_by_key(|rule| (rule.family, rule.id));
    rules
}

/// The rules with this id: a lint rule may have a counterpart in the generator.
pub fn find(id: &str) -> Vec<Rule> {
    let mut rules = all();
    rules.retain(|rule| rule.id == id);
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_kebab_case_ids() {
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
