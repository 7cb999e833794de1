//! Why a file could not be read.

use crate::diagnostic::Diagnostics;
use crate::source::SourceMap;

/// Why there is no document: every reason at once, and the texts they point into.
#[derive(Debug)]
pub struct LoadError {
    /// The texts read so far.
    pub sources: SourceMap,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

impl LoadError {
    /// The reasons with excerpts of the source.
    pub fn render(&self, color: bool) -> String {
        self.diagnostics.render(&self.sources, color)
    }
}
