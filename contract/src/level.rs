//! Level: how serious a finding is.

use std::fmt;

use openapi_document::Severity;
use serde::Serialize;

/// A level, from not reported to must be fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not reported.
    Off,
    /// For information only.
    Info,
    /// Worth a look.
    Warning,
    /// Must be fixed.
    Error,
}

impl Level {
    /// All levels in ascending order.
    pub const ALL: [Self; 4] = [Self::Off, Self::Info, Self::Warning, Self::Error];

    /// The word for the level.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Parses the word for a level.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == word)
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

impl From<openapi_lint::Level> for Level {
    fn from(level: openapi_lint::Level) -> Self {
        match level {
            openapi_lint::Level::Off => Self::Off,
            openapi_lint::Level::Info => Self::Info,
            openapi_lint::Level::Warning => Self::Warning,
            openapi_lint::Level::Error => Self::Error,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
