//! No effect: an operation leaves a record unchanged.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::mention::Mention;
use crate::subject::Subject;

/// An operation leaves a record, or one property of it, unchanged.
///
/// ```yaml
/// - no-effect: {operation: previewOrder, keeps: {of: Order, name: total}}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoEffect {
    /// The operation.
    pub operation: String,
    /// The schema of the record, and the property; without a property, the whole record.
    pub keeps: Subject,
}

impl Kind for NoEffect {
    fn key(&self) -> String {
        format!("{}/{}", self.operation, self.keeps.key())
    }

    fn owner(&self) -> &str {
        &self.operation
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.operation
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let operation = Mention::Operation(&self.operation);
        [operation]
            .into_iter()
            .chain(self.keeps.mentions())
            .collect()
    }
}

impl fmt::Display for NoEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not change {}", self.operation, self.keeps)
    }
}
