//! Excerpt: the part of a source line that a message shows.

use std::ops::Range;

use crate::source::{SourceFile, Span};

/// The bytes shown before and after the beginning of a span, if the line is longer than both
/// together.
const BEFORE: usize = 80;
const AFTER: usize = 160;

/// The line on which a span begins, and the part of the span on this line. A whole document may be
/// on one line, so only a part of a long line is shown.
#[derive(Debug, Clone)]
pub struct Excerpt<'s> {
    /// The text to show.
    pub text: &'s str,
    /// The byte range of the span in `text`.
    pub marked: Range<usize>,
    /// Whether `text` is only a part of the line.
    pub is_cut: bool,
}

impl<'s> Excerpt<'s> {
    /// The excerpt for a span that begins on a line.
    pub fn of(file: &'s SourceFile, span: Span, line: usize) -> Self {
        let text = file.text();
        let line = file.line(line);
        let start = span.range().start.clamp(line.start, line.end);
        let shown = if line.len() > BEFORE + AFTER {
            let from = start.saturating_sub(BEFORE).max(line.start);
            let to = (start + AFTER).min(line.end);
            text.floor_char_boundary(from)..text.ceil_char_boundary(to)
        } else {
            line.clone()
        };
        let end = span.range().end.clamp(start, shown.end);
        Self {
            text: &text[shown.clone()],
            marked: start - shown.start..end - shown.start,
            is_cut: shown != line,
        }
    }
}
