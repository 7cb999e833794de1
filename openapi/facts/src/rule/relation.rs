//! Relation: two properties of one record are compared.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::{Kind, refused};
use super::requires::{Condition, only_where, with_condition};
use crate::mention::Mention;
use crate::subject::Subject;

/// Two properties of one request or record always satisfy a comparison.
///
/// ```yaml
/// - relation: {subject: {of: Booking, name: endAt}, is: after, other: startAt, status: 422}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Relation {
    /// The first property.
    pub subject: Subject,
    /// The comparison.
    pub is: Comparison,
    /// The second property.
    pub other: String,
    /// The status with which other values are refused, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The condition under which it holds; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
}

/// A comparison of two values: the first four are for times, the next four for numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// Later than.
    After,
    /// Later than, or at the same time.
    NotBefore,
    /// Earlier than.
    Before,
    /// Earlier than, or at the same time.
    NotAfter,
    /// Greater than.
    Above,
    /// Greater than or equal.
    AtLeast,
    /// Less than.
    Below,
    /// Less than or equal.
    AtMost,
    /// Not equal.
    DifferentFrom,
}

impl Comparison {
    /// Parses the word of an entry.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        serde_json::from_value(word.into()).ok()
    }

    /// The words for it in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::After => "after",
            Self::NotBefore => "not before",
            Self::Before => "before",
            Self::NotAfter => "not after",
            Self::Above => "above",
            Self::AtLeast => "at least",
            Self::Below => "below",
            Self::AtMost => "at most",
            Self::DifferentFrom => "different from",
        }
    }
}

impl Kind for Relation {
    fn key(&self) -> String {
        let key = format!("{}/{}", self.subject.key(), self.other);
        with_condition(key, self.condition.as_ref())
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
        let condition = self.condition.iter().map(|one| one.name.as_str());
        let paths = [self.other.as_str()].into_iter().chain(condition);
        let others = paths.map(|path| Mention::Property { owner, path });
        self.subject.mentions().into_iter().chain(others).collect()
    }

    fn flaw(&self) -> Option<&'static str> {
        if self.subject.name.is_none() {
            return Some("`subject` needs a `name`");
        }
        let is_same = self.subject.name.as_ref() == Some(&self.other);
        is_same.then_some("a property cannot be compared with itself")
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is {} `{}`",
            self.subject,
            self.is.words(),
            self.other
        )?;
        only_where(f, self.condition.as_ref())?;
        refused(f, "another value", self.status)
    }
}
