//! Writes the table for its page.

use std::fmt::Write;

use super::ratio;
use super::row::Row;

const HEAD: &str = "| document | generator | generated | compiles | CPU s | MB | lines | `cargo check` user CPU s | MB |\n|---|---|---|---|---|---|---|---|---|\n";

/// The table, with the machine above and the missing generators below.
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
