//! The runner beside others: what a whole run without hand-written steps costs and finds beside
//! Schemathesis, and what thirty requests cost beside Hurl.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, ensure};

use super::codegen::cost::{self, Cost};
use super::{machine, marks};
use programs::build;
use programs::process::{self, Server};
use programs::standalone;
use programs::workspace;

mod findings;
mod hunt;
mod rows;
mod thirty;
mod tool;

use rows::{Rows, Wanted};
use tool::Tool;

/// The token that the shop knows.
const TOKEN: &str = "shop-token-5e1f";

/// So many times as often is measured what takes some milliseconds only.
const QUICK: usize = 10;

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
    /// A release of the shop that is there already (`cargo build --release --package openapi-conformance --example shop`).
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

/// Starts a run, and the server that it is for.
type Start<'s> = &'s dyn Fn() -> anyhow::Result<(Command, Option<Server>)>;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (runner, shop) = match (&arguments.runner, &arguments.shop) {
        (Some(runner), Some(shop)) => (runner.canonicalize()?, shop.canonicalize()?),
        _ => build()?,
    };
    let bench = Bench {
        arguments,
        runner,
        shop,
        document: workspace::root().join("conformance/tests/suite/support/shop/shop.yaml"),
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
    let mut built = standalone::build(&["conformance"])?;
    let runner = built.files.pop().context("no program was built")?;
    let mut example = process::cargo();
    example.args([
        "build",
        "--release",
        "--package",
        build::package_of("conformance"),
        "--example",
        "shop",
    ]);
    process::run(&mut example)?;
    let shop = build::release("conformance")
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

    /// How long it takes until the first request could be sent: everything is read, nothing is sent.
    fn startup(&self, rows: &mut Rows) -> anyhow::Result<()> {
        let shop = || {
            let mut command = self.ours("http://127.0.0.1:9");
            command.arg("--dry-run");
            Ok((command, None))
        };
        let contract = || {
            let mut command = Command::new(&self.runner);
            command.args(["run", "--url", "http://127.0.0.1:9", "--dry-run"]);
            Ok((command, None))
        };
        let runs = self.arguments.runs * QUICK;
        let [shop, contract] = medians(runs, [&shop, &contract])?;
        rows.startup("the shop's document", &shop);
        rows.startup("the contract within the program", &contract);
        Ok(())
    }

    /// A whole run on the shop in which nothing is wrong, by both.
    fn whole(&self, rows: &mut Rows) -> anyhow::Result<()> {
        let own = || self.whole_by(Tool::Own);
        let other = || self.whole_by(Tool::Schemathesis);
        if !is_there(&self.arguments.schemathesis) {
            let [own] = medians(self.arguments.runs, [&own])?;
            self.tell_whole(Tool::Own, &own, rows)?;
            rows.left_out("Schemathesis is not there: `pip install 'schemathesis>=4,<5'`, or name it by --schemathesis");
            return Ok(());
        }
        let [own, other] = medians(self.arguments.runs, [&own, &other])?;
        self.tell_whole(Tool::Own, &own, rows)?;
        self.tell_whole(Tool::Schemathesis, &other, rows)?;
        let wanted = Wanted::CpuAndWall(20.0);
        rows.times("Schemathesis : this runner", &other, &own, wanted);
        Ok(())
    }

    fn whole_by(&self, tool: Tool) -> anyhow::Result<(Command, Option<Server>)> {
        let server = self.open(None)?;
        Ok((self.command(tool, &server.url)?, Some(server)))
    }

    fn tell_whole(&self, tool: Tool, cost: &Cost, rows: &mut Rows) -> anyhow::Result<()> {
        let found = self.findings(tool).with_context(|| cost.said.clone())?;
        ensure!(
            tool == Tool::Schemathesis || found.is_empty(),
            "the untouched shop differs: {found:?}"
        );
        rows.whole(tool, cost, found.len());
        Ok(())
    }
}

/// The median of some runs of each, by CPU. They take turns, so that what else the machine does is borne by all. A tool
/// that finds something ends with 1.
fn medians<const N: usize>(runs: usize, commands: [Start<'_>; N]) -> anyhow::Result<[Cost; N]> {
    let mut all = commands.map(|_| Vec::new());
    for _ in 0..runs.max(1) {
        for (start, costs) in commands.iter().zip(&mut all) {
            let (mut command, server) = start()?;
            costs.push(cost::of(&mut command)?);
            drop(server);
        }
    }
    Ok(all.map(|mut costs| {
        costs.sort_by(|one: &Cost, other| one.seconds.total_cmp(&other.seconds));
        costs.swap_remove(costs.len() / 2)
    }))
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
