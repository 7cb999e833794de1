//! What is wrong with a page, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// A defect of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: PathBuf,
    line: usize,
    message: String,
}

impl Finding {
    /// A defect in a line, which counts from one; [`Finding::at`] adds the page.
    pub(crate) fn new(line: usize, message: String) -> Self {
        let path = PathBuf::new();
        Self {
            path,
            line,
            message,
        }
    }

    pub(crate) fn at(self, path: &Path) -> Self {
        let path = path.to_owned();
        Self { path, ..self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.message)
    }
}
