//! The sandbox against the targets it was built for: one file for each thing that is measured.

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

/// The sandbox against its targets: start, memory, creates, reads, group commit, growth, clocks.
///
/// Releases are built, started on databases of their own and loaded from this process; only ratios of one run
/// compare on a machine that does other things, too.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What is measured, such as T3,T4; all of it without this.
    #[arg(long, value_name = "T…", value_delimiter = ',')]
    only: Vec<String>,
    /// The program to measure; without it a release is built.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// How long each load lasts.
    #[arg(long, value_name = "S", default_value_t = 5)]
    seconds: u64,
    /// How often each of two things that are compared is measured, in turns.
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// How many transactions a large database has.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    rows: u64,
    /// An empty database of PostgreSQL, as `sandbox --database` takes it; without it that row is left out.
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
}

/// How a row is measured.
type Measure = fn(&Arguments, &Program, &mut Table) -> anyhow::Result<()>;

/// What there is to measure, by the names of the targets.
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
    let mut table = Table::default();
    for (targets, measure) in ROWS {
        if arguments.wants(targets) {
            measure(arguments, &program, &mut table)?;
        }
    }
    println!("{facts}\n\n{table}");
    Ok(ExitCode::SUCCESS)
}

/// Measures two sandboxes in turns; the median of each.
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
