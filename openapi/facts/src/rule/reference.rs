//! Reference: a value must name an existing record.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::{Kind, refused};
use crate::mention::Mention;
use crate::subject::Subject;

/// A value must name an existing record.
///
/// ```yaml
/// - reference: {subject: {of: NewOrder, name: customerId}, to: Customer, status: 422}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reference {
    /// The parameter or property.
    pub subject: Subject,
    /// The schema of the named record.
    pub to: String,
    /// The status with which an unknown name is refused, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl Kind for Reference {
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

    fn is_limit(&self) -> bool {
        true
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let to = Mention::Schema(&self.to);
        self.subject.mentions().into_iter().chain([to]).collect()
    }

    fn flaw(&self) -> Option<&'static str> {
        (self.subject.name.is_none()).then_some("`subject` needs a `name`")
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} names a {} that exists", self.subject, self.to)?;
        refused(f, "another value", self.status)
    }
}
