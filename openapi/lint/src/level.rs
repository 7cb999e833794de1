//! Level: how serious the findings of a rule are.

use std::fmt;

use openapi_document::diagnostic::Severity;

/// How serious the findings of a rule are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The rule does not run.
    Off,
    /// For information only.
    Info,
    /// Worth a look; does not fail a run.
    Warning,
    /// Must be fixed.
    Error,
}

impl Level {
    /// Parses `off`, `info`, `warning` or `error`.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Off, Self::Info, Self::Warning, Self::Error]
            .into_iter()
            .find(|level| level.as_str() == word)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    pub(super) fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Info => Some(Severity::Info),
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
