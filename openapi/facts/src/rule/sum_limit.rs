//! Sum limit: the amounts of several records never exceed a total.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::{Kind, refused};
use crate::mention::Mention;
use crate::subject::Subject;

/// The amounts of all records that an operation creates for a parent record never exceed a total of
/// the parent.
///
/// ```yaml
/// - sum-limit: {subject: {of: addPart, name: amount}, limit: {of: Whole, name: total}, status: 422}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SumLimit {
    /// The operation that creates the records, and the property with the amount.
    pub subject: Subject,
    /// The schema of the parent record, and its property with the total.
    pub limit: Subject,
    /// The property of the created records that names the parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The states in which a created record's amount counts; if empty, all count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// The status with which an excess amount is refused, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl Kind for SumLimit {
    fn key(&self) -> String {
        format!("{}/{}", self.subject.key(), self.limit.key())
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
        let owner = self.subject.owner.as_str();
        let sent = [&self.subject.name, &self.link].into_iter().flatten();
        let sent = sent.map(|path| Mention::Property { owner, path });
        let limit = self.limit.mentions();
        [Mention::Operation(owner)]
            .into_iter()
            .chain(sent)
            .chain(limit)
            .collect()
    }

    fn flaw(&self) -> Option<&'static str> {
        let is_complete = self.subject.name.is_some() && self.limit.name.is_some();
        (!is_complete).then_some("`subject` and `limit` need a `name`")
    }
}

impl fmt::Display for SumLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the sum of {} is at most {}", self.subject, self.limit)?;
        if !self.states.is_empty() {
            write!(f, ", counting the state {}", self.states.join(" or "))?;
        }
        refused(f, "an amount beyond it", self.status)
    }
}
