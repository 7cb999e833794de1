//! Load error: the reasons why a document could not be loaded.

use crate::diagnostic::Diagnostics;
use crate::source::SourceMap;

/// All reasons why a document could not be loaded, with the source texts.
#[derive(Debug)]
pub struct LoadError {
    /// The source texts that were read.
    pub sources: SourceMap,
    /// The reasons.
    pub diagnostics: Diagnostics,
}

impl LoadError {
    /// Renders the reasons with source excerpts.
    pub fn render(&self, color: bool) -> String {
        self.diagnostics.render(&self.sources, color)
    }
}
