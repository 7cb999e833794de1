//! Compares the sandbox with its targets, one file for each measurement.

mod before;
mod binary;
mod clocks;
mod commits;
mod connections;
mod creates;
mod growth;
mod memory;
mod reads;
mod spawn;
mod startup;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use super::machine;
use super::numbers::median;
use super::server::{Program, Watched};
use super::table::Table;

/// Compare the sandbox with its targets: start, memory, creates, reads, group commit, growth,
/// clocks.
///
/// Releases are built, started on new databases and loaded from this process. On a machine with
/// other work, only ratios within one run are comparable.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The targets to measure, such as T3,T4; default: all.
    #[arg(long, value_name = "T…", value_delimiter = ',')]
    only: Vec<String>,
    /// The program to measure; default: a release build.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// The duration of each load, in seconds.
    #[arg(long, value_name = "S", default_value_t = 5)]
    seconds: u64,
    /// How often each of two compared programs is measured, in turns.
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// The number of transactions in a large database.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    rows: u64,
    /// An empty PostgreSQL database, as `sandbox --database` takes it; without it that row is left
    /// out.
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
    /// Only compare the program with this earlier one, in turns.
    #[arg(long, value_name = "PATH")]
    before: Option<PathBuf>,
    /// An empty PostgreSQL database for the earlier program.
    #[arg(long, value_name = "URL", requires_all = ["before", "postgres"])]
    postgres_before: Option<String>,
}

/// Measures a row.
type Measure = fn(&Arguments, &Program, &mut Table) -> anyhow::Result<()>;

/// The measurements by the names of their targets.
const ROWS: [(&[&str], Measure); 11] = [
    (&["T1"], startup::measure),
    (&["T2"], memory::measure),
    (&["T2", "connections"], connections::measure),
    (&["T3", "T4"], creates::on_file),
    (&["T5"], commits::measure),
    (&["T6"], reads::measure),
    (&["T7"], growth::measure),
    (&["T8"], creates::on_postgres),
    (&["T12"], clocks::measure),
    (&["T16"], binary::measure),
    (&["T17"], spawn::measure),
];

impl Arguments {
    const fn time(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    fn wants(&self, targets: &[&str]) -> bool {
        self.only.is_empty()
            || targets
                .iter()
                .any(|target| self.only.iter().any(|only| only == target))
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let facts = machine::facts()?;
    let program = Program::find(arguments.binary.as_deref())?;
    if let Some(before) = &arguments.before {
        println!("{facts}\n");
        before::compare(arguments, &program, before)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::default();
    for (targets, measure) in ROWS {
        if arguments.wants(targets) {
            measure(arguments, &program, &mut table)?;
        }
    }
    println!("{facts}\n\n{table}");
    Ok(ExitCode::SUCCESS)
}

/// Measures two sandboxes in turns. Returns the median of each.
fn rates(
    rounds: usize,
    both: [&Watched; 2],
    mut measure: impl FnMut(&Watched, usize) -> anyhow::Result<f64>,
) -> anyhow::Result<[f64; 2]> {
    let mut rates = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        for (sandbox, rates) in both.into_iter().zip(&mut rates) {
            rates.push(measure(sandbox, round)?);
        }
    }
    Ok(rates.map(median))
}
