//! Streams: where a command writes, and its exit codes.

use std::io::{IsTerminal, Write};

/// Exit code: wrong usage.
pub const USAGE: u8 = 2;
/// Exit code: a file cannot be read or written.
pub const CANNOT: u8 = 3;

/// The output streams of a run.
pub struct Streams<'s> {
    /// Reports.
    pub out: &'s mut dyn Write,
    /// Errors.
    pub err: &'s mut dyn Write,
    /// Whether reports may use color.
    pub color: bool,
}

impl std::fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Streams(color: {})", self.color)
    }
}

/// Whether output to a stream may use color.
pub fn in_color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}
