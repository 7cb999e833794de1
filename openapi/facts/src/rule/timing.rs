//! Timing: a time lies a fixed duration after another one.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::duration::Duration;
use crate::mention::Mention;
use crate::subject::Subject;

/// A time of a record lies a fixed duration after another time of the record, or after its
/// creation.
///
/// ```yaml
/// - timing: {subject: {of: Session, name: expiresAt}, after: createdAt, by: PT24H}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Timing {
    /// The property with the later time.
    pub subject: Subject,
    /// The property with the earlier time; `None` for the creation of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The duration between them.
    pub by: Duration,
    /// The request property whose number multiplies the duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
}

impl Kind for Timing {
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

    fn mentions(&self) -> Vec<Mention<'_>> {
        let owner = self.subject.owner.as_str();
        let after = self.after.as_deref();
        let after = after.map(|path| Mention::Property { owner, path });
        self.subject.mentions().into_iter().chain(after).collect()
    }

    fn flaw(&self) -> Option<&'static str> {
        (self.subject.name.is_none()).then_some("`subject` needs a `name`")
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.subject, self.by)?;
        if let Some(times) = &self.times {
            write!(f, " times `{times}`")?;
        }
        f.write_str(" after ")?;
        match &self.after {
            Some(after) => write!(f, "`{after}`"),
            None => f.write_str("the creation"),
        }
    }
}
