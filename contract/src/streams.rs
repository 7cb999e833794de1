//! Where a command writes, and its exit codes.

use std::io::{IsTerminal, Write};

/// Exit code: it was asked for in a way that cannot be answered.
pub const USAGE: u8 = 2;
/// Exit code: something cannot be read or written.
pub const CANNOT: u8 = 3;

/// Where a run tells what it has to tell.
pub struct Streams<'s> {
    /// Reports.
    pub out: &'s mut dyn Write,
    /// Complaints.
    pub err: &'s mut dyn Write,
    /// Whether reports may be in color.
    pub color: bool,
}

impl std::fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Streams(color: {})", self.color)
    }
}

/// Whether what goes to a stream may be in color.
pub fn in_color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}
