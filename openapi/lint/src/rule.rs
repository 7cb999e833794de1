//! What a rule is: its name, its level, what it asks for and why, and the function that looks.

use super::context::{Context, Reading, Scenario, Subject};
use super::level::Level;
use openapi_document::diagnostic::{Diagnostic, Diagnostics};

/// A rule: what it is called, what it looks for, and how to explain it.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its name in kebab-case, for what is found; kept for ever.
    pub id: &'static str,
    /// How much its findings weigh where nobody says otherwise.
    pub default: Level,
    /// What it asks for, in one sentence.
    pub summary: &'static str,
    /// Why it asks for that.
    pub why: &'static str,
    /// How to mend what it finds.
    pub mend: &'static str,
    /// A part of a file in which it finds something.
    pub wrong: &'static str,
    /// The same part, mended.
    pub right: &'static str,
    pub(super) check: Check,
}

/// The function that looks, by what it looks at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    Document(fn(&Context<'_>, &mut Diagnostics)),
    Scenario(fn(&Scenario<'_>, &mut Diagnostics)),
    Behaviour(fn(&Subject<'_>, &mut Diagnostics)),
    /// A document with the behaviour file beside it; what is found stands in the document.
    Facts(fn(&Reading<'_>, &mut Diagnostics)),
}

impl Rule {
    /// What it looks at, in a word.
    pub fn subject(&self) -> &'static str {
        match self.check {
            Check::Document(_) => "document",
            Check::Scenario(_) => "scenario",
            Check::Behaviour(_) => "behaviour",
            Check::Facts(_) => "document with its behaviour",
        }
    }

    /// Its page, in Markdown: what it asks for, why, and how to mend what it finds.
    pub fn explain(&self) -> String {
        format!(
            "# {}\n\n{}. Looks at: {}. Default: {}.\n\n{}\n\n{}\n\nWrong:\n\n```yaml\n{}\n```\n\nRight:\n\n```yaml\n{}\n```\n",
            self.id,
            self.summary,
            self.subject(),
            self.default,
            self.why,
            self.mend,
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
