//! `cargo xtask certify`: runs the conformance runner against a server.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

use programs::build::{build, built};
use programs::sandbox::{ALL, COMPLETE, Sandbox, runner};
use programs::workspace;

use crate::generate;

/// The default credentials of a sandbox.
const DEFAULT_CREDENTIALS: &str = "Authorization: development-key";

/// The option for all outputs of the runner.
const OUTPUTS: [&str; 2] = ["--report", "all"];

/// Certify a server: without --url the sandbox, which is built, started and stopped for the run.
///
/// Exit code: 0 conforms, 1 differs, 2 usage, 3 the target cannot be reached or the runner broke.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The server's base address. Without it, the command checks that generated code is current,
    /// builds the sandbox and certifies it on a free port with a new database.
    #[arg(long)]
    url: Option<String>,
    /// The database of the started sandbox, as its `--database` takes it, such as
    /// `postgres://USER@HOST/DATABASE`; default: an SQLite file that is deleted after the run.
    #[arg(long, value_name = "URL", conflicts_with = "url")]
    database: Option<String>,
    /// The folder for every output of the run.
    #[arg(long, value_name = "DIR", default_value = "target/certify")]
    out: PathBuf,
    /// The areas in scope, or `all`.
    #[arg(long, value_name = "A,…", default_value = ALL)]
    area: String,
    /// A header of every request to --url, such as 'Authorization: KEY'; secret in all outputs.
    /// Without it and --basic, the sandbox's default key is sent.
    #[arg(long, value_name = "NAME: VALUE", requires = "url")]
    header: Vec<String>,
    /// Credentials for HTTP Basic at --url; secret in all outputs.
    #[arg(long, value_name = "USER:PASSWORD", requires = "url")]
    basic: Option<String>,
    /// Write a new list of requirements to spec/requirements, if the newest one lacks requirements.
    #[arg(long, conflicts_with_all = ["url", "area"])]
    freeze: bool,
    /// Further arguments for the runner, such as --profile or --allow-writes.
    #[arg(last = true)]
    runner: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(url) = &arguments.url {
        build(&["conformance"])?;
        let mut command = Command::new(built("conformance"));
        runner(&mut command, url, "target", &arguments.area, &arguments.out);
        arguments.authorize(&mut command);
        return finish(command.args(OUTPUTS).args(&arguments.runner));
    }
    generate::check_contract()?;
    build(&["sandbox", "conformance"])?;
    let sandbox = Sandbox::start_on(&built("sandbox"), arguments.database.as_deref())?;
    let mut command = Command::new(built("conformance"));
    sandbox.certify(&mut command, &arguments.area, &arguments.out);
    // The levels of a list are those of the contract.
    if !arguments.freeze {
        command.args(COMPLETE);
    }
    let ended = finish(command.args(OUTPUTS).args(&arguments.runner))?;
    require_all_cases(&arguments.out)?;
    require_small_page(&arguments.out)?;
    if arguments.area == ALL && arguments.runner.is_empty() {
        require_list(&arguments.out, arguments.freeze)?;
    }
    Ok(ended)
}

/// Requires that the newest frozen list has all requirements. Certificates with earlier lists stay
/// valid.
fn require_list(out: &Path, freeze: bool) -> anyhow::Result<()> {
    let mut command = Command::new(built("conformance"));
    command
        .arg("requirements")
        .arg("--from")
        .arg(out.join("report.json"));
    let folder = workspace::contract().with_file_name("requirements");
    command.arg("--folder").arg(folder);
    if !freeze {
        command.arg("--check");
    }
    let status = command
        .status()
        .context("failed to start the conformance runner")?;
    ensure!(
        status.success(),
        "the list of requirements is incomplete: `cargo xtask certify --freeze` writes the next one"
    );
    Ok(())
}

/// Requires that no case is skipped: the sandbox must answer every case.
fn require_all_cases(out: &Path) -> anyhow::Result<()> {
    let Ok(report) = std::fs::read(out.join("report.json")) else {
        return Ok(());
    };
    let report: serde_json::Value = serde_json::from_slice(&report)?;
    let skipped = report["counts"]["skip"].as_u64().unwrap_or_default();
    ensure!(skipped == 0, "{skipped} cases are skipped");
    Ok(())
}

/// The greatest size of the HTML report for each case, in bytes, so that it opens at once.
const MOST_BYTES_OF_CASE: u64 = 1_500;

/// Requires that the HTML report is small for its number of cases.
fn require_small_page(out: &Path) -> anyhow::Result<()> {
    let (Ok(page), Ok(report)) = (
        std::fs::metadata(out.join("report.html")),
        std::fs::read(out.join("report.json")),
    ) else {
        return Ok(());
    };
    let report: serde_json::Value = serde_json::from_slice(&report)?;
    let cases = report["cases"].as_array().map_or(0, Vec::len) as u64;
    // The script and the style are as large as the details of many cases.
    let most = MOST_BYTES_OF_CASE * cases.max(100);
    ensure!(
        page.len() <= most,
        "report.html has {} bytes; {cases} cases may take {most}",
        page.len()
    );
    Ok(())
}

impl Arguments {
    fn authorize(&self, command: &mut Command) {
        for header in &self.header {
            command.args(["--header", header]);
        }
        if let Some(basic) = &self.basic {
            command.args(["--basic", basic]);
        } else if self.header.is_empty() {
            command.args(["--header", DEFAULT_CREDENTIALS]);
        }
    }
}

/// Runs the runner. Returns its exit code.
fn finish(command: &mut Command) -> anyhow::Result<ExitCode> {
    let status = command
        .status()
        .context("failed to start the conformance runner")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(3)))
}
