//! Problems: all errors in the input of the gate, each with its place.

use openapi_document::{Diagnostic, Diagnostics, SourceMap};

/// The reasons why a run cannot start.
#[derive(Debug, Default)]
pub struct Problems {
    /// The source texts.
    pub sources: SourceMap,
    /// The errors.
    pub diagnostics: Diagnostics,
}

impl Problems {
    /// One problem without a place.
    pub fn one(rule: &'static str, title: impl Into<String>, help: impl Into<String>) -> Self {
        let mut problems = Self::default();
        problems
            .diagnostics
            .push(Diagnostic::error(rule, title).help(help));
        problems
    }

    /// Renders the problems with excerpts.
    pub fn render(&self, color: bool) -> String {
        self.diagnostics.render(&self.sources, color)
    }
}
