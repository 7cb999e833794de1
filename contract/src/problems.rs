//! What is wrong with what the gate was told: all of it at once, each with its place.

use openapi_document::{Diagnostic, Diagnostics, SourceMap};

/// Why a run cannot begin.
#[derive(Debug, Default)]
pub struct Problems {
    /// The files of the gate.
    pub sources: SourceMap,
    /// What is wrong with them.
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

    /// The problems with excerpts.
    pub fn render(&self, color: bool) -> String {
        self.diagnostics.render(&self.sources, color)
    }
}
