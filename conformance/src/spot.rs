//! Spot: a line of a source file, which findings name.

use openapi_document::{SourceMap, Span};
use serde::Serialize;

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Spot {
    /// The file's path.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The line a span begins on.
pub fn spot(sources: &SourceMap, span: Span) -> Spot {
    let place = sources.place(span);
    Spot {
        file: place.file,
        line: place.line,
    }
}
