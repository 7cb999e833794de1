//! Side effect: an operation changes or creates another record.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::requires::{Condition, only_where, with_condition};
use crate::assignment::Assignment;
use crate::mention::Mention;

/// An operation changes or creates a record other than the one it addresses.
///
/// ```yaml
/// - side-effect: {operation: closeAccount, on: Card, sets: {name: status, value: CANCELLED}}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Entry", into = "Entry")]
pub struct SideEffect {
    /// The operation.
    pub operation: String,
    /// The effect.
    pub outcome: Outcome,
    /// The request for which it holds; `None` for all.
    pub condition: Option<Condition>,
}

/// What an operation does to another record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Each record of a schema that belongs to the operation's record gets a value.
    Sets {
        /// The schema.
        on: String,
        /// The property and its value.
        sets: Assignment,
    },
    /// A record of this schema is created.
    Creates(String),
}

/// The rule as a behaviour file writes it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    operation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<Assignment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creates: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<Condition>,
}

impl TryFrom<Entry> for SideEffect {
    type Error = &'static str;

    fn try_from(entry: Entry) -> Result<Self, Self::Error> {
        let outcome = match (entry.on, entry.sets, entry.creates) {
            (Some(on), Some(sets), None) => Outcome::Sets { on, sets },
            (None, None, Some(schema)) => Outcome::Creates(schema),
            _ => return Err("`side-effect` needs either `on` and `sets`, or `creates`"),
        };
        Ok(Self {
            operation: entry.operation,
            outcome,
            condition: entry.condition,
        })
    }
}

impl From<SideEffect> for Entry {
    fn from(rule: SideEffect) -> Self {
        let (on, sets, creates) = match rule.outcome {
            Outcome::Sets { on, sets } => (Some(on), Some(sets), None),
            Outcome::Creates(schema) => (None, None, Some(schema)),
        };
        Self {
            operation: rule.operation,
            on,
            sets,
            creates,
            condition: rule.condition,
        }
    }
}

impl Kind for SideEffect {
    fn key(&self) -> String {
        let key = match &self.outcome {
            Outcome::Sets { on, sets } => format!("{}/{on}/{}", self.operation, sets.name),
            Outcome::Creates(schema) => format!("{}/{schema}", self.operation),
        };
        with_condition(key, self.condition.as_ref())
    }

    fn owner(&self) -> &str {
        &self.operation
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.operation
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let operation = Mention::Operation(&self.operation);
        match &self.outcome {
            Outcome::Creates(schema) => vec![operation, Mention::Schema(schema)],
            Outcome::Sets { on, sets } => {
                let (owner, path) = (on.as_str(), sets.name.as_str());
                let property = Mention::Property { owner, path };
                vec![operation, Mention::Schema(owner), property]
            }
        }
    }
}

impl fmt::Display for SideEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Outcome::Sets { on, sets } => {
                write!(
                    f,
                    "{} sets {sets} on each {on} of the record",
                    self.operation
                )
            }
            Outcome::Creates(schema) => write!(f, "{} also creates a {schema}", self.operation),
        }?;
        only_where(f, self.condition.as_ref())
    }
}
