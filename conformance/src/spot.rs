//! Spot: a line of a source file.

use openapi_document::{SourceMap, Span};
use serde::Serialize;

/// The length from which a line also needs a column, in bytes.
const LONG: usize = 200;

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Spot {
    /// The file's path.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1. Only for a long line, such as in a document on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl Spot {
    /// The place, with another path for the file.
    pub fn within(&self, file: &str) -> String {
        let column = self.column.map(|column| format!(":{column}"));
        format!("{file}:{}{}", self.line, column.unwrap_or_default())
    }
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.within(&self.file))
    }
}

/// The line on which a span begins.
pub fn spot(sources: &SourceMap, span: Span) -> Spot {
    let place = sources.place(span);
    let text = sources.file(span.file).line_text(place.line);
    let is_long = text.is_some_and(|line| line.len() > LONG);
    Spot {
        file: place.file,
        line: place.line,
        column: is_long.then_some(place.column),
    }
}

#[cfg(test)]
mod tests {
    use openapi_document::Span;

    use super::*;

    #[test]
    fn a_long_line_has_columns() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.json", format!("[1,\n{:LONG$}, 2]", 1));
        let at = |start| {
            let end = start + 1;
            spot(&sources, Span { file, start, end }).to_string()
        };
        assert_eq!(at(1), "a.json:1");
        assert_eq!(at(206), "a.json:2:203");
    }
}
