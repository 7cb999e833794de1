//! Order: a list has an order, or a parameter chooses it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::subject::Subject;

/// The direction of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// The smallest, or the oldest, first.
    Ascending,
    /// The largest, or the newest, first.
    Descending,
}

impl Direction {
    /// Parses the lexicon's word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "ascending" => Some(Self::Ascending),
            "descending" => Some(Self::Descending),
            _ => None,
        }
    }
}

/// A list has an order, or a parameter chooses it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Order {
    /// The list, or the parameter.
    pub subject: Subject,
    /// The sort key; `None` if a parameter names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The direction, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}

impl Order {
    /// Whether a list cannot have both orders.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        let both = self.by.is_some() && other.by.is_some();
        both && self.subject == other.subject && self.by != other.by
    }
}

impl Kind for Order {
    fn key(&self) -> String {
        match &self.by {
            Some(by) => format!("{}/{by}", self.subject.key()),
            None => self.subject.key(),
        }
    }

    fn owner(&self) -> &str {
        &self.subject.owner
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.subject.owner
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            Some(by) => write!(f, "{} is ordered by {by}", self.subject)?,
            None => write!(f, "{} chooses the order", self.subject)?,
        }
        match self.direction {
            Some(Direction::Ascending) => f.write_str(", ascending"),
            Some(Direction::Descending) => f.write_str(", descending"),
            None => Ok(()),
        }
    }
}
