//! Levels: which rules run, and how serious their findings are.

use std::collections::BTreeMap;

use openapi_document::diagnostic::Diagnostics;
use openapi_document::spelling::nearest;

use super::level::Level;
use super::rule::Rule;

/// The configured levels; all other rules have their default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    chosen: BTreeMap<&'static str, Level>,
}

/// There is no rule with this id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{id}`{}", .nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?")))]
pub struct UnknownRule {
    /// The unknown id.
    pub id: String,
    /// The most similar id.
    pub nearest: Option<&'static str>,
}

impl Levels {
    /// Sets the level of a rule.
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

    /// Sets the same level for all rules.
    #[must_use]
    pub fn all(level: Level) -> Self {
        Self {
            chosen: Rule::all().map(|rule| (rule.id, level)).collect(),
        }
    }

    /// The level of a rule: the configured one, or its default.
    pub fn of(&self, rule: &Rule) -> Level {
        self.chosen.get(rule.id).copied().unwrap_or(rule.default)
    }

    /// Runs a rule, unless it is off. Its findings get the configured level.
    pub(super) fn run(
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
    fn an_unknown_rule_is_reported_with_the_most_similar_one() {
        let mut levels = Levels::default();
        assert_eq!(levels.set("unknown-key", Level::Off), Ok(()));
        let error = levels.set("unknown-kay", Level::Off).unwrap_err();
        let text = "there is no rule `unknown-kay`; did you mean `unknown-key`?";
        assert_eq!(error.to_string(), text);
        let error = levels.set("nothing-of-the-kind", Level::Off).unwrap_err();
        assert_eq!(error.nearest, None);
    }

    #[test]
    fn levels_are_parsed_and_printed_alike() {
        for level in [Level::Off, Level::Info, Level::Warning, Level::Error] {
            assert_eq!(Level::parse(level.as_str()), Some(level));
        }
        assert_eq!(Level::parse("Error"), None);
    }
}
