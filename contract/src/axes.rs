//! Where a rule of diff stands, and how much it weighs.

use openapi_diff as diff;
use serde::Serialize;

use crate::level::Level;

/// The axes on which a rule of diff stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Axes {
    /// Who sends what changed.
    pub direction: &'static str,
    /// The part of the document.
    pub area: &'static str,
    /// What kind of statement changed.
    pub kind: &'static str,
    /// What was done to it.
    pub action: &'static str,
}

impl Axes {
    /// Their names.
    pub const NAMES: [&str; 4] = ["direction", "area", "kind", "action"];

    /// The value on an axis.
    pub fn get(&self, axis: &str) -> Option<&'static str> {
        Some(match axis {
            "direction" => self.direction,
            "area" => self.area,
            "kind" => self.kind,
            "action" => self.action,
            _ => return None,
        })
    }
}

/// A level of a comparison as one of the gate.
pub fn level(level: diff::Level) -> Level {
    match level {
        diff::Level::Info => Level::Info,
        diff::Level::Warning => Level::Warning,
        diff::Level::Error => Level::Error,
    }
}

/// The axes on which a rule stands.
pub fn axes(rule: &diff::Rule) -> Axes {
    Axes {
        direction: rule.direction.word(),
        area: rule.area.word(),
        kind: rule.kind.word(),
        action: rule.action.word(),
    }
}
