//! Levels of differences, and verdicts of cases.

use std::fmt;

use openapi_document::view::Document;
use openapi_facts::Evidence;
use serde::Serialize;

/// Requirement level of a check at one place of the contract, from weak to strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// Only reported.
    May,
    /// Warns.
    Should,
    /// Fails.
    Must,
}

impl Level {
    /// Parses `MAY`, `SHOULD` or `MUST`.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::May, Self::Should, Self::Must]
            .into_iter()
            .find(|level| level.to_string() == word)
    }
}

impl From<openapi_document::Level> for Level {
    fn from(level: openapi_document::Level) -> Self {
        match level {
            openapi_document::Level::Documented => Self::Must,
            openapi_document::Level::Inferred => Self::Should,
            openapi_document::Level::Proposed => Self::May,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::May => "MAY",
            Self::Should => "SHOULD",
            Self::Must => "MUST",
        })
    }
}

/// Which parts of a contract bind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Documented parts must hold, inferred ones should, proposed ones may.
    #[default]
    Documented,
    /// Everything must hold.
    Complete,
    /// Everything in the selected area must hold.
    Area,
}

impl Profile {
    /// The level under this profile.
    pub fn raise(self, level: Level) -> Level {
        match self {
            Self::Documented => level,
            Self::Complete | Self::Area => Level::Must,
        }
    }
}

/// Whether values that only examples show bind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Examples {
    /// Examples show possible values: a difference from them warns.
    #[default]
    Illustrative,
    /// Examples show required values: a difference from them fails.
    Normative,
}

impl Examples {
    /// Parses `illustrative` or `normative`.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "illustrative" => Some(Self::Illustrative),
            "normative" => Some(Self::Normative),
            _ => None,
        }
    }

    /// The setting in a document: `x-conformance: {examples: normative}` in its `info`.
    pub fn of(document: &Document) -> Option<Self> {
        let setting = document.root.get("info")?.get("x-conformance")?;
        Self::parse(setting.get("examples")?.as_str()?)
    }
}

/// The settings that decide levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weights {
    /// Which parts of the contract bind.
    pub profile: Profile,
    /// Whether examples bind.
    pub examples: Examples,
}

impl Weights {
    /// The level of a difference, from the contract's level and the evidence. A profile raises
    /// proposed parts, but a fact that was only read never fails.
    pub fn weigh(self, level: Level, evidence: Evidence) -> Level {
        self.profile.raise(level).min(self.most(evidence))
    }

    /// The highest level that the evidence allows.
    pub fn most(self, evidence: Evidence) -> Level {
        match evidence {
            Evidence::Stated => Level::Must,
            Evidence::Shown if self.examples == Examples::Normative => Level::Must,
            Evidence::Shown | Evidence::Read => Level::Should,
        }
    }
}

/// The result of a case, ordered by severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No difference above MAY.
    Pass,
    /// Not tested; the reason says why. Never counts as conformance.
    Skip,
    /// Breaks a SHOULD.
    Warn,
    /// Breaks a MUST.
    Fail,
    /// The contract or the runner is broken; the server was not judged.
    Error,
}

impl Verdict {
    /// The verdict for differences of these levels.
    pub fn of(levels: impl IntoIterator<Item = Level>) -> Self {
        match levels.into_iter().max() {
            Some(Level::Must) => Self::Fail,
            Some(Level::Should) => Self::Warn,
            Some(Level::May) | None => Self::Pass,
        }
    }

    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Skip => "skip",
            Self::Warn => "warn",
            Self::Fail => "fail",
            Self::Error => "error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_limits_the_level_under_each_profile() {
        use Evidence::{Read, Shown, Stated};
        for (evidence, examples, level, documented, complete) in [
            (
                Stated,
                Examples::Illustrative,
                Level::Must,
                Level::Must,
                Level::Must,
            ),
            (
                Stated,
                Examples::Illustrative,
                Level::May,
                Level::May,
                Level::Must,
            ),
            (
                Shown,
                Examples::Illustrative,
                Level::Must,
                Level::Should,
                Level::Should,
            ),
            (
                Shown,
                Examples::Normative,
                Level::Must,
                Level::Must,
                Level::Must,
            ),
            (
                Shown,
                Examples::Normative,
                Level::May,
                Level::May,
                Level::Must,
            ),
            (
                Read,
                Examples::Normative,
                Level::Must,
                Level::Should,
                Level::Should,
            ),
            (
                Read,
                Examples::Normative,
                Level::May,
                Level::May,
                Level::Should,
            ),
        ] {
            for (profile, expected) in [
                (Profile::Documented, documented),
                (Profile::Complete, complete),
            ] {
                let weights = Weights { profile, examples };
                assert_eq!(
                    weights.weigh(level, evidence),
                    expected,
                    "{evidence} {level}"
                );
            }
        }
    }

    #[test]
    fn the_strongest_level_decides() {
        for (levels, verdict) in [
            (&[][..], Verdict::Pass),
            (&[Level::May], Verdict::Pass),
            (&[Level::May, Level::Should], Verdict::Warn),
            (&[Level::Must, Level::May], Verdict::Fail),
        ] {
            assert_eq!(Verdict::of(levels.iter().copied()), verdict);
        }
        assert_eq!(Profile::Complete.raise(Level::May), Level::Must);
        assert_eq!(Profile::Documented.raise(Level::May), Level::May);
    }
}
