//! The runner beside others: what a whole run without hand-written steps costs and finds beside
//! Schemathesis, and what thirty requests cost beside Hurl.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use super::codegen::cost::{self, Cost};
use super::{machine, marks};
use crate::certify;
use crate::process::{self, Server};
use crate::standalone;
use crate::workspace;

mod findings;
mod hunt;
mod rows;
mod thirty;
mod tool;

use rows::{Rows, Wanted};
use tool::Tool;

/// The token that the shop knows.
const TOKEN: &str = "shop-token-5e1f";

/// The runner beside Schemathesis and Hurl, on a shop of the catalogue of broken servers.
///
/// Schemathesis: `pip install 'schemathesis>=4,<5'`; Hurl: `cargo install hurl`. What is not there is left out,
/// and said to be.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program of Schemathesis.
    #[arg(long, value_name = "PROGRAM", default_value = "st")]
    schemathesis: PathBuf,
    /// The program of Hurl.
    #[arg(long, value_name = "PROGRAM", default_value = "hurl")]
    hurl: PathBuf,
    /// A release of the runner that is there already, to be measured instead of one that is built.
    #[arg(long, value_name = "PROGRAM", requires = "shop")]
    runner: Option<PathBuf>,
    /// A release of the shop that is there already (`cargo build --release --package conformance --example shop`).
    #[arg(long, value_name = "PROGRAM", requires = "runner")]
    shop: Option<PathBuf>,
    /// How often each is measured; medians count.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// One of so many faults of the catalogue is tried with both; 0 for none.
    #[arg(long, default_value_t = 8)]
    one_of: usize,
    /// Put the table into docs/benchmarks.md.
    #[arg(long)]
    write: bool,
}

/// What the tools are run with.
struct Bench<'b> {
    arguments: &'b Arguments,
    runner: PathBuf,
    shop: PathBuf,
    document: PathBuf,
    folder: tempfile::TempDir,
}

/// What a run cost.
struct Measured {
    cost: Cost,
    wall: Duration,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (runner, shop) = match (&arguments.runner, &arguments.shop) {
        (Some(runner), Some(shop)) => (runner.canonicalize()?, shop.canonicalize()?),
        _ => build()?,
    };
    let bench = Bench {
        arguments,
        runner,
        shop,
        document: workspace::root().join("conformance/tests/support/shop/shop.yaml"),
        folder: tempfile::tempdir()?,
    };
    let facts = machine::facts()?;
    let mut rows = Rows::default();
    bench.startup(&mut rows)?;
    bench.whole(&mut rows)?;
    thirty::measure(&bench, &mut rows)?;
    hunt::measure(&bench, &mut rows)?;
    let table = format!("{facts}\n\n{rows}");
    println!("{table}");
    if arguments.write {
        let page = workspace::root().join("docs/benchmarks.md");
        marks::write(&page, "conformance", &table)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the runner and the shop, for release.
fn build() -> anyhow::Result<(PathBuf, PathBuf)> {
    let runner = standalone::build()?;
    let mut example = process::cargo();
    example.args([
        "build",
        "--release",
        "--package",
        "conformance",
        "--example",
        "shop",
    ]);
    process::run(&mut example)?;
    let shop = certify::release("conformance")
        .with_file_name("examples")
        .join("shop");
    Ok((runner, shop))
}

impl Bench<'_> {
    /// The shop, with the fault of a row of the catalogue.
    fn open(&self, fault: Option<usize>) -> anyhow::Result<Server> {
        let mut command = Command::new(&self.shop);
        command.args(fault.map(|own| own.to_string()));
        Server::start(&mut command)
    }

    /// The median of some runs, by CPU. A tool that finds something ends with 1.
    fn median(
        &self,
        command: impl Fn() -> anyhow::Result<(Command, Option<Server>)>,
    ) -> anyhow::Result<Measured> {
        let mut all = Vec::new();
        for _ in 0..self.arguments.runs.max(1) {
            let (mut command, server) = command()?;
            let begun = Instant::now();
            let cost = cost::of(&mut command)?;
            all.push(Measured {
                cost,
                wall: begun.elapsed(),
            });
            drop(server);
        }
        all.sort_by(|one, other| one.cost.seconds.total_cmp(&other.cost.seconds));
        let middle = all.len() / 2;
        all.into_iter().nth(middle).context("no run was measured")
    }

    /// How long it takes until the first request could be sent: everything is read, nothing is sent.
    fn startup(&self, rows: &mut Rows) -> anyhow::Result<()> {
        let own = || {
            let mut command = self.ours("http://127.0.0.1:9");
            command.arg("--dry-run");
            Ok((command, None))
        };
        rows.startup("the shop's document", &self.median(own)?);
        let contract = || {
            let mut command = Command::new(&self.runner);
            command.args(["run", "--url", "http://127.0.0.1:9", "--dry-run"]);
            Ok((command, None))
        };
        rows.startup("the contract within the program", &self.median(contract)?);
        Ok(())
    }

    /// A whole run on the shop in which nothing is wrong, by both.
    fn whole(&self, rows: &mut Rows) -> anyhow::Result<()> {
        let own = self.whole_by(Tool::Own, rows)?;
        if !is_there(&self.arguments.schemathesis) {
            rows.left_out("Schemathesis is not there: `pip install 'schemathesis>=4,<5'`, or name it by --schemathesis");
            return Ok(());
        }
        let other = self.whole_by(Tool::Schemathesis, rows)?;
        rows.times(
            "Schemathesis : this runner",
            &other,
            &own,
            Wanted::CpuAndWall(20.0),
        );
        Ok(())
    }

    fn whole_by(&self, tool: Tool, rows: &mut Rows) -> anyhow::Result<Measured> {
        let measured = self.median(|| {
            let server = self.open(None)?;
            Ok((self.command(tool, &server.url)?, Some(server)))
        })?;
        let found = self
            .findings(tool)
            .with_context(|| measured.cost.said.clone())?;
        ensure!(
            tool == Tool::Schemathesis || found.is_empty(),
            "the untouched shop differs: {found:?}"
        );
        rows.whole(tool, &measured, found.len());
        Ok(measured)
    }
}

/// Whether a program can be started.
fn is_there(program: &PathBuf) -> bool {
    let mut command = Command::new(program);
    let quiet = command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
