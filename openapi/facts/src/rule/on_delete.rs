//! On delete: what an operation that deletes a record does to the record's children.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::mention::Mention;

/// What an operation that deletes a record does to the record's children.
///
/// ```yaml
/// - on-delete: {operation: deleteFolder, children: Document, then: refused, status: 409}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OnDelete {
    /// The operation that deletes the record.
    pub operation: String,
    /// The schema of the children.
    pub children: String,
    /// The fate of the children.
    pub then: Fate,
    /// The status with which the operation is refused while children exist, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

/// The fate of the children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// The operation deletes them, too.
    Deleted,
    /// They remain.
    Kept,
    /// The operation is refused while children exist.
    Refused,
}

impl Kind for OnDelete {
    fn key(&self) -> String {
        format!("{}/{}", self.operation, self.children)
    }

    fn owner(&self) -> &str {
        &self.operation
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.operation
    }

    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        Some(&mut self.status)
    }

    fn is_limit(&self) -> bool {
        self.then == Fate::Refused
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        vec![
            Mention::Operation(&self.operation),
            Mention::Schema(&self.children),
        ]
    }

    fn flaw(&self) -> Option<&'static str> {
        let is_wrong = self.status.is_some() && self.then != Fate::Refused;
        is_wrong.then_some("`status` is for `then: refused` only")
    }
}

impl fmt::Display for OnDelete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operation, children) = (&self.operation, &self.children);
        match self.then {
            Fate::Deleted => write!(f, "{operation} deletes each {children} of the record"),
            Fate::Kept => write!(f, "{operation} keeps each {children} of the record"),
            Fate::Refused => {
                write!(f, "{operation} is refused")?;
                if let Some(status) = self.status {
                    write!(f, " with {status}")?;
                }
                write!(f, " while the record has a {children}")
            }
        }
    }
}
