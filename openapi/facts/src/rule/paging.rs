//! Paging: a list is divided into pages.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::lexicon::Lexicon;
use crate::name::normalized;
use crate::subject::Subject;

/// The role of a parameter in the paging of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PagingRole {
    /// The number of items per page.
    Size,
    /// The number of the page.
    Page,
    /// The number of items before the page.
    Offset,
    /// The cursor at which the page begins, from an earlier response.
    Cursor,
    /// The list has no pages.
    None,
}

impl PagingRole {
    /// The words for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Size => "the page size",
            Self::Page => "the page number",
            Self::Offset => "the offset",
            Self::Cursor => "the cursor",
            Self::None => "not paged",
        }
    }

    /// What a parameter of a list is for, as its name says.
    pub fn of_name(name: &str) -> Option<Self> {
        const ROLES: [(&str, PagingRole); 4] = [
            ("size-name", PagingRole::Size),
            ("page-name", PagingRole::Page),
            ("offset-name", PagingRole::Offset),
            ("cursor-name", PagingRole::Cursor),
        ];
        let (roles, name) = (&Lexicon::english().roles, normalized(name));
        let mut known = ROLES.into_iter();
        known
            .find(|(role, _)| roles.has(role, &name))
            .map(|(_, role)| role)
    }

    /// Reads the word of the lexicon for it.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "size" => Some(Self::Size),
            "page" => Some(Self::Page),
            "offset" => Some(Self::Offset),
            "cursor" => Some(Self::Cursor),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// A parameter divides a list into pages, or the list has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Paging {
    /// The parameter, or the list.
    pub subject: Subject,
    /// What the parameter is for.
    pub role: PagingRole,
}

impl Kind for Paging {
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

    fn holds(&self) -> bool {
        self.role != PagingRole::None
    }
}

impl fmt::Display for Paging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.subject, self.role.as_str())
    }
}
