//! Evidence: how well a document supports a fact.

use std::fmt;

/// How well a document supports a fact. Ordered from weak to strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// A name, a shape or a sentence suggests the fact.
    Read,
    /// Only an example shows the fact.
    Shown,
    /// A keyword, status, extension, behaviour file entry or standard states the fact.
    Stated,
}

impl Evidence {
    /// The word for it in reports and tables: `read`, `shown` or `stated`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Shown => "shown",
            Self::Stated => "stated",
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
