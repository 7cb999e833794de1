//! Compares the runner with other tools: a whole run without scenarios with Schemathesis, and
//! thirty requests with Hurl.

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

/// The token that the shop accepts.
const TOKEN: &str = "shop-token-5e1f";

/// The factor by which measurements of a few milliseconds are repeated more often.
const QUICK: usize = 10;

/// Compare the runner with Schemathesis and Hurl, on a shop of the catalogue of broken servers.
///
/// Schemathesis: `pip install 'schemathesis>=4,<5'`; Hurl: `cargo install hurl`. The table leaves
/// out a missing tool, and says so.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program of Schemathesis.
    #[arg(long, value_name = "PROGRAM", default_value = "st")]
    schemathesis: PathBuf,
    /// The program of Hurl.
    #[arg(long, value_name = "PROGRAM", default_value = "hurl")]
    hurl: PathBuf,
    /// A release build of the runner to measure, instead of building one.
    #[arg(long, value_name = "PROGRAM", requires = "shop")]
    runner: Option<PathBuf>,
    /// A release build of the shop, instead of building one (`cargo build --release --package
    /// openapi-conformance --example shop`).
    #[arg(long, value_name = "PROGRAM", requires = "runner")]
    shop: Option<PathBuf>,
    /// How often each tool is measured; the median counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Try every Nth fault of the catalogue with both tools; 0 for none.
    #[arg(long, default_value_t = 8)]
    one_of: usize,
    /// Write the table to docs/benchmarks.md.
    #[arg(long)]
    write: bool,
}

/// The programs and files of the measurements.
struct Bench<'b> {
    arguments: &'b Arguments,
    runner: PathBuf,
    shop: PathBuf,
    document: PathBuf,
    folder: tempfile::TempDir,
}

/// Prepares a run with the server that it needs.
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

/// Builds the runner and the shop for release.
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
    /// Opens the shop with the fault of a row of the catalogue.
    fn open(&self, fault: Option<usize>) -> anyhow::Result<Server> {
        let mut command = Command::new(&self.shop);
        command.args(fault.map(|row| row.to_string()));
        Server::start(&mut command)
    }

    /// Measures the time until the first request could be sent: reads everything and sends nothing.
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

    /// Measures a whole run of both tools on the correct shop.
    fn whole(&self, rows: &mut Rows) -> anyhow::Result<()> {
        let ours = || self.whole_by(Tool::Own);
        let other = || self.whole_by(Tool::Schemathesis);
        if !is_there(&self.arguments.schemathesis) {
            let [ours] = medians(self.arguments.runs, [&ours])?;
            self.tell_whole(Tool::Own, &ours, rows)?;
            rows.left_out("Schemathesis is not installed: `pip install 'schemathesis>=4,<5'`, or name it by --schemathesis");
            return Ok(());
        }
        let [ours, other] = medians(self.arguments.runs, [&ours, &other])?;
        self.tell_whole(Tool::Own, &ours, rows)?;
        self.tell_whole(Tool::Schemathesis, &other, rows)?;
        let wanted = Wanted::CpuAndWall(20.0);
        rows.times("Schemathesis : this runner", &other, &ours, wanted);
        Ok(())
    }

    fn whole_by(&self, tool: Tool) -> anyhow::Result<(Command, Option<Server>)> {
        let server = self.open(None)?;
        Ok((self.command(tool, &server.url)?, Some(server)))
    }

    fn tell_whole(&self, tool: Tool, cost: &Cost, rows: &mut Rows) -> anyhow::Result<()> {
        let found = self.findings(tool).with_context(|| cost.output.clone())?;
        ensure!(
            tool == Tool::Schemathesis || found.is_empty(),
            "the untouched shop differs: {found:?}"
        );
        rows.whole(tool, cost, found.len());
        Ok(())
    }
}

/// The median costs of several runs by CPU. The commands take turns, so that other work of the
/// machine affects all of them. A tool with findings ends with 1.
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
