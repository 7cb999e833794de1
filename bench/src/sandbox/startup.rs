//! Measures the time from the start of the program until it is ready, with a new database and its
//! fixtures.

use std::time::{Duration, Instant};

use super::Arguments;
use crate::numbers::{median, milliseconds};
use crate::server::Program;
use crate::table::{Row, Table};

/// The number of starts.
const STARTS: usize = 20;
const TARGET: Duration = Duration::from_millis(100);

pub(super) fn measure(_: &Arguments, program: &Program, table: &mut Table) -> anyhow::Result<()> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let begun = Instant::now();
        let ready = program.on_file(&[])?;
        times.push(begun.elapsed());
        drop(ready);
    }
    let slowest = times.iter().max().copied().unwrap_or_default();
    let middle = median(times);
    table.add(Row {
        target: "T1",
        what: format!("start to `/readyz`, fresh file, median of {STARTS}"),
        measured: format!(
            "{} (slowest {})",
            milliseconds(middle),
            milliseconds(slowest)
        ),
        wanted: format!("≤ {}", milliseconds(TARGET)),
        met: middle <= TARGET,
    });
    Ok(())
}
