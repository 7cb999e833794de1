//! Finding: a defect of a page with its place.

use std::fmt;
use std::path::{Path, PathBuf};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: PathBuf,
    line: usize,
    message: String,
}

impl Finding {
    /// Creates a finding for a line, which counts from one. [`Finding::at`] adds the page.
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
