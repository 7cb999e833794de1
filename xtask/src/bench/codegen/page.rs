//! The table on its page.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;

use super::ratio;
use super::row::Row;

const BEGIN: &str = "<!-- begin of `cargo xtask bench codegen` -->\n";
const END: &str = "<!-- end of `cargo xtask bench codegen` -->";

const HEAD: &str = "| document | generator | generated | compiles | CPU s | MB | lines | `cargo check` user CPU s | MB |\n|---|---|---|---|---|---|---|---|---|\n";

/// The table, with what it depends on above and who is missing below.
pub(super) fn table(facts: &str, rows: &[Row], left_out: &[String]) -> String {
    let mut text = format!("{facts}\n\n{HEAD}");
    for row in rows {
        let _ = writeln!(text, "{row}");
    }
    text.push('\n');
    text.push_str(&ratio::table(rows));
    for line in left_out {
        text.push('\n');
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Puts the table between its marks.
pub(super) fn write(page: &Path, table: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(page)?;
    let marks = || {
        let begin = text.find(BEGIN)? + BEGIN.len();
        let end = begin + text[begin..].find(END)?;
        Some((begin, end))
    };
    let (begin, end) =
        marks().with_context(|| format!("no place for the table in {}", page.display()))?;
    fs::write(page, format!("{}{table}{}", &text[..begin], &text[end..]))?;
    Ok(())
}
