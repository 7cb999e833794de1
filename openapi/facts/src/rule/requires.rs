//! Requires: whether a value must be present depends on another one.

use std::fmt;

use openapi_document::Node;
use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::subject::Subject;

/// What the condition demands of the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// The subject must be present.
    Present,
    /// The subject must be absent.
    Absent,
    /// The subject may be present only under the condition.
    OnlyThen,
    /// Exactly one of the subject and the other must be present.
    OneOf,
    /// The subject must be null.
    Null,
}

impl Need {
    /// Parses the lexicon's word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "present" => Some(Self::Present),
            "absent" => Some(Self::Absent),
            "only-then" => Some(Self::OnlyThen),
            "one-of" => Some(Self::OneOf),
            "null" => Some(Self::Null),
            _ => None,
        }
    }
}

/// A condition on another parameter or property of the same request or record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// Its values; if empty, the condition is that it is present.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Whether the condition is negated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub negated: bool,
}

/// Whether a value must be present depends on another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Requires {
    /// The parameter or property.
    pub subject: Subject,
    /// What the condition demands.
    pub need: Need,
    /// The condition.
    pub condition: Condition,
}

impl Kind for Requires {
    fn key(&self) -> String {
        format!("{}/{}", self.subject.key(), self.condition.key())
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

/// The key of a rule that holds only under a condition.
pub(super) fn with_condition(key: String, condition: Option<&Condition>) -> String {
    match condition {
        Some(condition) => format!("{key}/{}", condition.key()),
        None => key,
    }
}

/// Writes the condition of a rule: ` where `status` is PAID`.
pub(super) fn only_where(f: &mut fmt::Formatter<'_>, condition: Option<&Condition>) -> fmt::Result {
    match condition {
        Some(condition) => write!(f, " where {condition}"),
        None => Ok(()),
    }
}

impl Condition {
    /// Whether it holds for a request or a record. A null counts as absent.
    pub fn holds(&self, record: &Node) -> bool {
        let value = record.get(&self.name).filter(|node| !node.is_null());
        let is_it = |node: &Node| {
            let text = node.as_str().map_or_else(|| node.to_json(), str::to_owned);
            self.values.is_empty() || self.values.contains(&text)
        };
        value.is_some_and(is_it) != self.negated
    }

    /// The condition as part of a fact id.
    pub(super) fn key(&self) -> String {
        let not = if self.negated { "not-" } else { "" };
        let values = self.values.join("+");
        let equals = if values.is_empty() { "" } else { "=" };
        format!("{not}{}{equals}{values}", self.name)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (is, given) = if self.negated {
            ("is not", "is not given")
        } else {
            ("is", "is given")
        };
        if self.values.is_empty() {
            return write!(f, "`{}` {given}", self.name);
        }
        write!(f, "`{}` {is} {}", self.name, self.values.join(" or "))
    }
}

impl fmt::Display for Requires {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            subject, condition, ..
        } = self;
        match self.need {
            Need::Present => write!(f, "{subject} is required where {condition}"),
            Need::Absent => write!(f, "{subject} must be left out where {condition}"),
            Need::OnlyThen => write!(f, "{subject} is used only where {condition}"),
            Need::OneOf => write!(f, "one of {subject} and `{}` is given", condition.name),
            Need::Null => write!(f, "{subject} is null where {condition}"),
        }
    }
}
