//! Axes: classifies the rules of diff, and converts their levels.

use openapi_diff as diff;
use serde::Serialize;

use crate::level::Level;

/// The classification of a rule of diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Axes {
    /// Who sends the changed part.
    pub direction: &'static str,
    /// The part of the document.
    pub area: &'static str,
    /// The aspect that changed.
    pub kind: &'static str,
    /// How it changed.
    pub action: &'static str,
}

impl Axes {
    /// The names of the axes.
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

/// Converts a level of diff to one of the gate.
pub fn level(level: diff::Level) -> Level {
    match level {
        diff::Level::Info => Level::Info,
        diff::Level::Warning => Level::Warning,
        diff::Level::Error => Level::Error,
    }
}

/// The axes of a rule of diff.
pub fn axes(rule: &diff::Rule) -> Axes {
    Axes {
        direction: rule.direction.word(),
        area: rule.area.word(),
        kind: rule.kind.word(),
        action: rule.action.word(),
    }
}
