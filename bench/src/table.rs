//! The table that a bench prints, in Markdown.

use std::fmt;

/// One thing measured.
#[derive(Debug)]
pub(crate) struct Row {
    /// The name of the target.
    pub(crate) target: &'static str,
    /// What was measured.
    pub(crate) what: String,
    /// What came out.
    pub(crate) measured: String,
    /// What is wanted.
    pub(crate) wanted: String,
    /// Whether that is so.
    pub(crate) met: bool,
}

/// Rows below each other.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<Row>);

impl Table {
    /// Adds a row, and shows it at once: the next may take a while.
    pub(crate) fn add(&mut self, row: Row) {
        eprintln!("{row}");
        self.0.push(row);
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let met = if self.met { "yes" } else { "**no**" };
        write!(
            formatter,
            "| {} | {} | {} | {} | {met} |",
            self.target, self.what, self.measured, self.wanted
        )
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "| | what | measured | wanted | met |")?;
        writeln!(formatter, "|---|---|---|---|---|")?;
        self.0
            .iter()
            .try_for_each(|row| writeln!(formatter, "{row}"))
    }
}
