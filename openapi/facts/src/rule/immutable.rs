//! Immutable: a property does not change.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::{Kind, refused};
use crate::mention::Mention;
use crate::subject::Subject;

/// A property, or a whole record, does not change after its creation, or after it has reached a
/// state.
///
/// ```yaml
/// - immutable: {subject: {of: Order, name: currency}, after: [PAID], status: 422}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Immutable {
    /// The property; the whole record if it has no name.
    pub subject: Subject,
    /// The states after which it does not change; if empty, it never changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// The status with which a change is refused, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl Kind for Immutable {
    fn key(&self) -> String {
        if self.after.is_empty() {
            return self.subject.key();
        }
        format!("{}/{}", self.subject.key(), self.after.join("+"))
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

    fn is_limit(&self) -> bool {
        true
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        self.subject.mentions()
    }
}

impl fmt::Display for Immutable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.after.is_empty() {
            write!(f, "{} never changes", self.subject)?;
        } else {
            let states = self.after.join(" or ");
            write!(
                f,
                "{} does not change after the state {states}",
                self.subject
            )?;
        }
        refused(f, "a change", self.status)
    }
}
