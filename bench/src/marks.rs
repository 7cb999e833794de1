//! Finds the place of a table on its page.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Writes a table between the marks of its bench.
pub(crate) fn write(page: &Path, bench: &str, table: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(page)?;
    let begin = format!("<!-- begin of `cargo xtask bench {bench}` -->\n");
    let end = format!("<!-- end of `cargo xtask bench {bench}` -->");
    let marks = || {
        let begin = text.find(&begin)? + begin.len();
        let end = begin + text[begin..].find(&end)?;
        Some((begin, end))
    };
    let (begin, end) =
        marks().with_context(|| format!("no place for the table in {}", page.display()))?;
    fs::write(page, format!("{}{table}{}", &text[..begin], &text[end..]))?;
    Ok(())
}
