//! Which rules are asked, and how much their findings weigh.

use std::collections::BTreeMap;

use openapi_document::diagnostic::Diagnostics;
use openapi_document::spelling::nearest;

use super::level::Level;
use super::rule::Rule;

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
        for level in [Level::Off, Level::Info, Level::Warning, Level::Error] {
            assert_eq!(Level::parse(level.as_str()), Some(level));
        }
        assert_eq!(Level::parse("Error"), None);
    }
}
