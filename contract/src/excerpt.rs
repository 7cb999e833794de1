//! Excerpt: the lines that a report shows for a place.

use openapi_document::Span;
use openapi_document::source::SourceFile;
use serde::Serialize;

/// The number of lines before and after the marked line.
const AROUND: usize = 3;
/// The maximum number of characters of a line around it.
const LONGEST: usize = 240;

/// A line with a marked range, and the lines around it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Excerpt {
    /// The line, or the visible part of a long line.
    pub text: String,
    /// The first marked byte.
    pub start: usize,
    /// One past the last marked byte.
    pub end: usize,
    /// Whether the line is longer than `text`.
    pub is_cut: bool,
    /// The lines before.
    pub before: Vec<String>,
    /// The lines after.
    pub after: Vec<String>,
}

impl Excerpt {
    /// The excerpt for a span that begins on a line.
    pub fn of(file: &SourceFile, span: Span, line: usize) -> Self {
        let marked_line = openapi_document::excerpt::Excerpt::of(file, span, line);
        let first = line.saturating_sub(AROUND).max(1);
        let short = |line: usize| file.line_text(line).map(cut);
        Self {
            text: marked_line.text.to_owned(),
            start: marked_line.marked.start,
            end: marked_line.marked.end,
            is_cut: marked_line.is_cut,
            before: (first..line).filter_map(short).collect(),
            after: (line + 1..=line + AROUND).filter_map(short).collect(),
        }
    }
}

fn cut(line: &str) -> String {
    line.chars().take(LONGEST).collect()
}
