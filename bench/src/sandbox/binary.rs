//! Measures the size of the program.

use super::Arguments;
use crate::server::Program;
use crate::table::{Row, Table};

/// The target in bytes.
const TARGET: u64 = 15 << 20;

#[expect(clippy::cast_precision_loss, reason = "a size with one digit")]
pub(super) fn measure(_: &Arguments, program: &Program, table: &mut Table) -> anyhow::Result<()> {
    let bytes = std::fs::metadata(&program.0)?.len();
    table.add(Row {
        target: "T16",
        what: "the release binary".to_owned(),
        measured: format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
        wanted: format!("≤ {} MiB", TARGET >> 20),
        met: bytes <= TARGET,
    });
    Ok(())
}
