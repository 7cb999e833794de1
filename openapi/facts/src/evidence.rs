//! Evidence: how well a document supports a fact.

use std::fmt;

/// How well a document supports a fact. Ordered: the weaker the smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// A name, a shape or a sentence suggests it.
    Read,
    /// Only an example has it.
    Shown,
    /// A keyword, a status, an extension, an entry of the behaviour file or a standard states it.
    Stated,
}

impl Evidence {
    /// The word for it in reports and tables.
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
