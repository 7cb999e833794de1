//! Magic value: a documented test value has a documented outcome.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::assignment::Assignment;
use crate::mention::Mention;
use crate::subject::Subject;

/// A documented test value has a documented outcome: a status, or a property of the response.
///
/// ```yaml
/// - magic-value: {subject: {of: NewPayment, name: cardNumber}, value: '4000000000000002', status: 402}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MagicValue {
    /// The parameter or property.
    pub subject: Subject,
    /// The test value.
    pub value: String,
    /// The status of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// A property of the response, and its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<Assignment>,
}

impl Kind for MagicValue {
    fn key(&self) -> String {
        format!("{}/{}", self.subject.key(), self.value)
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

    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        Some(&mut self.status)
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        self.subject.mentions()
    }

    fn flaw(&self) -> Option<&'static str> {
        if self.subject.name.is_none() {
            return Some("`subject` needs a `name`");
        }
        let is_empty = self.status.is_none() && self.sets.is_none();
        is_empty.then_some("`status` or `sets` is needed")
    }
}

impl fmt::Display for MagicValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the test value {} for {}", self.value, self.subject)?;
        match (self.status, &self.sets) {
            (Some(status), Some(sets)) => write!(f, " is answered with {status} and sets {sets}"),
            (Some(status), None) => write!(f, " is answered with {status}"),
            (None, Some(sets)) => write!(f, " sets {sets}"),
            (None, None) => f.write_str(" is allowed"),
        }
    }
}
