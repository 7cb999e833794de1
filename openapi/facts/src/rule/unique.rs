//! Unique: no two records have the same value of a property.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::subject::Subject;

/// No two records have the same value of a property; with `holds: false`, values may repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Unique {
    /// The property or parameter.
    pub subject: Subject,
    /// `false` if the document says that values may repeat.
    #[serde(default = "holds", skip_serializing_if = "Clone::clone")]
    pub holds: bool,
    /// The scope within which values must differ, in the words of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Whether values that differ only in letter case count as the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignores_case: bool,
    /// The status with which a duplicate value is refused, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

fn holds() -> bool {
    true
}

impl Kind for Unique {
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

    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        Some(&mut self.status)
    }

    fn holds(&self) -> bool {
        self.holds
    }
}

impl fmt::Display for Unique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.holds {
            return write!(f, "{} may repeat", self.subject);
        }
        write!(f, "{} is unique", self.subject)?;
        if let Some(scope) = &self.scope {
            write!(f, " within {scope}")?;
        }
        if self.ignores_case {
            f.write_str(", whatever the case of its letters")?;
        }
        match self.status {
            Some(status) => write!(f, "; a value that is taken is refused with {status}"),
            None => Ok(()),
        }
    }
}
