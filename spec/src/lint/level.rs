//! How much the findings of a rule weigh, and who decides that.

use std::collections::BTreeMap;
use std::fmt;

use super::nearest;
use super::rule::Rule;
use crate::diagnostic::{Diagnostics, Severity};

/// How much the findings of a rule weigh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The rule is not asked.
    Off,
    /// Worth a look; does not fail a run.
    Warning,
    /// Has to be mended.
    Error,
}

/// The levels somebody has chosen; every other rule has its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    chosen: BTreeMap<&'static str, Level>,
}

/// There is no rule of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{id}`{}", .nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?")))]
pub struct UnknownRule {
    /// The name.
    pub id: String,
    /// The rule that may have been meant.
    pub nearest: Option<&'static str>,
}

impl Level {
    /// Reads `off`, `warning` or `error`.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Off, Self::Warning, Self::Error]
            .into_iter()
            .find(|level| level.as_str() == word)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Levels {
    /// Chooses the level of a rule.
    ///
    /// # Errors
    /// There is no rule of that name.
    pub fn set(&mut self, id: &str, level: Level) -> Result<(), UnknownRule> {
        let rule = Rule::find(id).ok_or_else(|| UnknownRule {
            id: id.to_owned(),
            nearest: nearest(id, Rule::all().map(|rule| rule.id)),
        })?;
        self.chosen.insert(rule.id, level);
        Ok(())
    }

    /// Chooses the same level for all rules.
    #[must_use]
    pub fn all(level: Level) -> Self {
        Self {
            chosen: Rule::all().map(|rule| (rule.id, level)).collect(),
        }
    }

    /// The level of a rule: the chosen one, else its default.
    pub fn of(&self, rule: &Rule) -> Level {
        self.chosen.get(rule.id).copied().unwrap_or(rule.default)
    }

    /// Lets a rule look, unless it is off; its findings get the level that was chosen for it.
    pub(super) fn ask(
        &self,
        rule: &Rule,
        diagnostics: &mut Diagnostics,
        look: impl FnOnce(&mut Diagnostics),
    ) {
        if self.of(rule) == Level::Off {
            return;
        }
        let mut found = Diagnostics::default();
        look(&mut found);
        let chosen = self.chosen.get(rule.id).and_then(|level| level.severity());
        diagnostics.extend(found.into_iter().map(|mut finding| {
            finding.severity = chosen.unwrap_or(finding.severity);
            finding
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_rule_is_named_with_its_neighbour() {
        let mut levels = Levels::default();
        assert_eq!(levels.set("unknown-key", Level::Off), Ok(()));
        let error = levels.set("unknown-kay", Level::Off).unwrap_err();
        let text = "there is no rule `unknown-kay`; did you mean `unknown-key`?";
        assert_eq!(error.to_string(), text);
        let error = levels.set("nothing-of-the-kind", Level::Off).unwrap_err();
        assert_eq!(error.nearest, None);
    }

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in [Level::Off, Level::Warning, Level::Error] {
            assert_eq!(Level::parse(level.as_str()), Some(level));
        }
        assert_eq!(Level::parse("Error"), None);
    }
}
