//! The table of a bench, in Markdown.

use std::fmt;

/// One measurement.
#[derive(Debug)]
pub(crate) struct Row {
    /// The name of the target.
    pub(crate) target: &'static str,
    /// The measured quantity.
    pub(crate) what: String,
    /// The result.
    pub(crate) measured: String,
    /// The target.
    pub(crate) wanted: String,
    /// Whether the result meets the target.
    pub(crate) met: bool,
}

/// The rows of a table.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<Row>);

impl Table {
    /// Adds a row, and prints it at once, because the next one may take a while.
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
