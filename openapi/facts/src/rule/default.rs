//! Default: a missing parameter or property counts as a documented value.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::subject::Subject;

/// A missing parameter or property counts as a documented value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Default {
    /// The parameter or property.
    pub subject: Subject,
    /// The value in the spelling of the document.
    pub value: String,
}

impl Kind for Default {
    fn key(&self) -> String {
        self.subject.key()
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

impl fmt::Display for Default {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {} where it is left out", self.subject, self.value)
    }
}
