//! Compares the program with an earlier one, in turns, so that both run on the same machine.

use std::path::Path;

use super::creates::creates;
use super::reads::reads;
use super::{Arguments, rates};
use crate::server::{Program, Watched};

/// A measurement of a running sandbox; the number makes ids unique.
type Measure = fn(&Watched, usize, std::time::Duration) -> anyhow::Result<f64>;

const ON_FILE: [(&str, Measure); 2] = [
    (
        "CPU µs for each purchase, SQLite, 64 connections",
        |sandbox, round, time| Ok(creates(sandbox, &format!("file-{round}"), 64, time)?.cpu),
    ),
    (
        "CPU µs for each read by id, 16 connections",
        |sandbox, round, time| Ok(reads(sandbox, &format!("read-{round}"), time)?.cpu),
    ),
];
const ON_POSTGRES: [(&str, Measure); 1] = [(
    "purchases a second, PostgreSQL, 64 connections",
    |sandbox, round, time| {
        Ok(creates(sandbox, &format!("postgres-{round}"), 64, time)?
            .report
            .rate())
    },
)];

/// Prints a table with the median of each program and their ratio.
pub(super) fn compare(
    arguments: &Arguments,
    program: &Program,
    before: &Path,
) -> anyhow::Result<()> {
    let before = Program(before.to_owned());
    println!(
        "| {} rounds of {} s in turns | now | before | now : before |",
        arguments.rounds, arguments.seconds
    );
    println!("|---|---|---|---|");
    let on_file = [program.on_file(&[])?, before.on_file(&[])?];
    for (what, measure) in ON_FILE {
        row(arguments, what, &on_file, measure)?;
    }
    drop(on_file);
    if let (Some(now), Some(earlier)) = (&arguments.postgres, &arguments.postgres_before) {
        let both = [program.start(now, &[])?, before.start(earlier, &[])?];
        for (what, measure) in ON_POSTGRES {
            row(arguments, what, &both, measure)?;
        }
    }
    Ok(())
}

fn row(
    arguments: &Arguments,
    what: &str,
    [now, before]: &[Watched; 2],
    measure: Measure,
) -> anyhow::Result<()> {
    let time = arguments.time();
    let [now, before] = rates(arguments.rounds, [now, before], |sandbox, round| {
        measure(sandbox, round, time)
    })?;
    println!(
        "| {what} | {now:.1} | {before:.1} | {:.0} % |",
        100.0 * now / before
    );
    Ok(())
}
