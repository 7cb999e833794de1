//! List omits: a list leaves out some records.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::requires::Condition;
use crate::mention::Mention;
use crate::subject::Subject;

/// A list leaves out the records that meet a condition, unless the request has a parameter.
///
/// ```yaml
/// - list-omits: {subject: {of: listOrders}, omits: {name: status, values: [ARCHIVED]}, unless: {name: includeArchived}}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListOmits {
    /// The list.
    pub subject: Subject,
    /// The condition on the records that are left out.
    pub omits: Condition,
    /// The parameter that includes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unless: Option<Condition>,
}

impl Kind for ListOmits {
    fn key(&self) -> String {
        format!("{}/{}", self.subject.key(), self.omits.key())
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

    fn mentions(&self) -> Vec<Mention<'_>> {
        let owner = self.subject.owner.as_str();
        let conditions = [Some(&self.omits), self.unless.as_ref()];
        let names = conditions.into_iter().flatten().map(|one| &one.name);
        let named = names.map(|path| Mention::Property { owner, path });
        self.subject.mentions().into_iter().chain(named).collect()
    }
}

impl fmt::Display for ListOmits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} leaves out items where {}", self.subject, self.omits)?;
        match &self.unless {
            Some(unless) => write!(f, ", unless {unless}"),
            None => Ok(()),
        }
    }
}
