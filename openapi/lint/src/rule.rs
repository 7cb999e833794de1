//! Rule: id, level, explanation and check function of a rule.

use super::context::{Context, Reading, Scenario, Subject};
use super::level::Level;
use openapi_document::diagnostic::{Diagnostic, Diagnostics};

/// A rule with its explanation.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The id in kebab-case, named after what the rule finds; it never changes.
    pub id: &'static str,
    /// The level unless the configuration sets another one.
    pub default: Level,
    /// The requirement, in one sentence.
    pub summary: &'static str,
    /// The reason for the requirement.
    pub why: &'static str,
    /// How to fix a finding.
    pub remedy: &'static str,
    /// A part of a file that violates the rule.
    pub wrong: &'static str,
    /// The same part, fixed.
    pub right: &'static str,
    pub(super) check: Check,
}

/// The check function, by its input.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    Document(fn(&Context<'_>, &mut Diagnostics)),
    Scenario(fn(&Scenario<'_>, &mut Diagnostics)),
    Behaviour(fn(&Subject<'_>, &mut Diagnostics)),
    /// A document with its behaviour file; findings are in the document.
    Facts(fn(&Reading<'_>, &mut Diagnostics)),
}

impl Rule {
    /// The kind of input, for people.
    pub fn subject(&self) -> &'static str {
        match self.check {
            Check::Document(_) => "document",
            Check::Scenario(_) => "scenario",
            Check::Behaviour(_) => "behaviour",
            Check::Facts(_) => "document with its behaviour",
        }
    }

    /// The page about the rule, in Markdown: requirement, reason and fix.
    pub fn explain(&self) -> String {
        format!(
            "# {}\n\n{}. Applies to: {}. Default level: {}.\n\n{}\n\n{}\n\nWrong:\n\n```yaml\n{}\n```\n\nRight:\n\n```yaml\n{}\n```\n",
            self.id,
            self.summary,
            self.subject(),
            self.default,
            self.why,
            self.remedy,
            self.wrong.trim_end(),
            self.right.trim_end(),
        )
    }

    /// A finding of this rule, at its default level.
    pub(super) fn finding(&self, title: impl Into<String>) -> Diagnostic {
        match self.default {
            Level::Error => Diagnostic::error(self.id, title),
            Level::Info => Diagnostic::info(self.id, title),
            Level::Warning | Level::Off => Diagnostic::warning(self.id, title),
        }
    }
}
