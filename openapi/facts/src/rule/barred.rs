//! Barred: an operation is refused in some states of its record.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::mention::Mention;

/// An operation is refused in some states of its record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Entry", into = "Entry")]
pub struct Barred {
    /// The operation that is refused.
    pub operation: String,
    /// The machine of the record; `None` unless a behaviour file has several for the operation.
    pub record: Option<String>,
    /// The states in which it is refused.
    pub states: States,
    /// The status of the refusal, if documented.
    pub status: Option<u16>,
}

/// A set of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum States {
    /// These states.
    In(Vec<String>),
    /// Every state except these.
    NotIn(Vec<String>),
}

/// The rule as a behaviour file writes it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    operation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#in: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unless: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
}

impl TryFrom<Entry> for Barred {
    type Error = &'static str;

    fn try_from(entry: Entry) -> Result<Self, Self::Error> {
        let states = match (entry.r#in, entry.unless) {
            (Some(states), None) => States::In(states),
            (None, Some(states)) => States::NotIn(states),
            _ => return Err("`barred` needs either `in` or `unless`"),
        };
        Ok(Self {
            operation: entry.operation,
            record: entry.record,
            states,
            status: entry.status,
        })
    }
}

impl From<Barred> for Entry {
    fn from(rule: Barred) -> Self {
        let (r#in, unless) = match rule.states {
            States::In(states) => (Some(states), None),
            States::NotIn(states) => (None, Some(states)),
        };
        Self {
            operation: rule.operation,
            record: rule.record,
            r#in,
            unless,
            status: rule.status,
        }
    }
}

impl Kind for Barred {
    fn key(&self) -> String {
        let (word, states) = match &self.states {
            States::In(states) => ("", states),
            States::NotIn(states) => ("not-", states),
        };
        let record = self.record.as_ref().map(|name| format!("{name}/"));
        let record = record.unwrap_or_default();
        format!("{}/{record}{word}{}", self.operation, states.join("+"))
    }

    fn owner(&self) -> &str {
        &self.operation
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.operation
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let (States::In(states) | States::NotIn(states)) = &self.states;
        // A machine of the behaviour file has states of its own.
        let states = states.iter().filter(|_| self.record.is_none());
        let states = states.map(|state| Mention::State(state));
        std::iter::once(Mention::Operation(&self.operation))
            .chain(states)
            .collect()
    }

    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        Some(&mut self.status)
    }
}

impl fmt::Display for Barred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is refused", self.operation)?;
        if let Some(status) = self.status {
            write!(f, " with {status}")?;
        }
        if let Some(record) = &self.record {
            write!(f, " for a {record}")?;
        }
        match &self.states {
            States::In(states) => write!(f, " in the state {}", states.join(" or ")),
            States::NotIn(states) => write!(f, " unless the state is {}", states.join(" or ")),
        }
    }
}
