//! The part of a text that is shown of a place.

use std::ops::Range;

use crate::source::{SourceFile, Span};

/// Bytes that are shown around the beginning of a span on a line that is longer than both together.
const BEFORE: usize = 80;
const AFTER: usize = 160;

/// The line a span begins on, and the part of the span on it: the renderer reads all it is given,
/// and a whole document may stand on one line. Of long lines only a part is shown.
#[derive(Debug, Clone)]
pub struct Excerpt<'s> {
    /// The text that is shown.
    pub text: &'s str,
    /// The bytes of it that are meant.
    pub marked: Range<usize>,
    /// Whether the line goes on before or after it.
    pub is_cut: bool,
}

impl<'s> Excerpt<'s> {
    /// What is shown of a span that begins on a line.
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
