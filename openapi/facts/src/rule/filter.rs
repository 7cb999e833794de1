//! Filter: a parameter chooses the items of a list.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::subject::Subject;

/// A parameter chooses the items of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Filter {
    /// The parameter.
    pub subject: Subject,
    /// The item property that the parameter is compared with, if the items have one of its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
}

impl Kind for Filter {
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

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} chooses the items", self.subject)?;
        match &self.property {
            Some(property) => write!(f, " by `{property}`"),
            None => Ok(()),
        }
    }
}
