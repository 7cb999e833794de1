//! The lines of a text that are shown of a place.

use openapi_document::Span;
use openapi_document::source::SourceFile;
use serde::Serialize;

/// Lines that are shown before and after the one that is meant.
const AROUND: usize = 3;
/// Characters that are shown of a line around it.
const LONGEST: usize = 240;

/// A line with what is meant on it, and the lines around it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Excerpt {
    /// The line, or the part of a long line that is shown.
    pub text: String,
    /// The first byte that is meant.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// Whether the line is longer than what is shown.
    pub is_cut: bool,
    /// The lines before.
    pub before: Vec<String>,
    /// The lines after.
    pub after: Vec<String>,
}

impl Excerpt {
    /// What is shown of a span that begins on a line.
    pub fn of(file: &SourceFile, span: Span, line: usize) -> Self {
        let own = openapi_document::excerpt::Excerpt::of(file, span, line);
        let first = line.saturating_sub(AROUND).max(1);
        let short = |line: usize| file.line_text(line).map(cut);
        Self {
            text: own.text.to_owned(),
            start: own.marked.start,
            end: own.marked.end,
            is_cut: own.is_cut,
            before: (first..line).filter_map(short).collect(),
            after: (line + 1..=line + AROUND).filter_map(short).collect(),
        }
    }
}

fn cut(line: &str) -> String {
    line.chars().take(LONGEST).collect()
}
